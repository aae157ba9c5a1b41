package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An authority of one's own: what it makes, keeps and refuses. */
class LocalAuthorityTest {
  private static final List<String> NAMES = List.of("localhost", "127.0.0.1", "::1", "Broker.test");

  private @TempDir Path parent;
  private final Deque<Runnable> work = new ArrayDeque<>();

  @Test
  void theCertificateIsForTheNamesAndOfTheAuthority() throws Exception {
    var authority = at(folder(), NAMES);
    authority.identity().join();

    var ca = certificate(authority.certificate());
    var server = certificate(Files.readString(folder().resolve("server.pem")));

    server.verify(ca.getPublicKey());
    assertThat(ca.getBasicConstraints()).isZero();
    assertThat(server.getBasicConstraints()).isEqualTo(-1);
    assertThat(namesIn(server))
        .containsExactly("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1", "Broker.test");
    assertThat(server.getNotAfter().toInstant())
        .isBefore(Instant.now().plus(Duration.ofDays(398)))
        .isAfter(Instant.now().plus(Duration.ofDays(390)));
  }

  /** Else an event loop stands still, with all its connections, for as long as making takes. */
  @Test
  void whoAsksWhileItIsMadeDoesNotWait() throws IOException {
    var asked = new AtomicReference<LocalAuthority>();
    var authority =
        new LocalAuthority(
            null,
            NAMES,
            work::add,
            () -> {
              var other = CompletableFuture.supplyAsync(() -> asked.get().identity().isDone());
              assertThat(other).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(false);
              return Issuer.create();
            });
    asked.set(authority);

    assertThat(authority.certificate()).startsWith("-----BEGIN CERTIFICATE-----");
  }

  @Test
  void keysAreForTheirOwnerOnly() {
    at(folder(), NAMES).identity().join();

    for (var name : List.of("ca-key.pem", "server.pem")) {
      assertThat(folder().resolve(name))
          .satisfies(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
    }
  }

  @Test
  void theNextStartShowsTheSameCertificate() throws Exception {
    at(folder(), NAMES).identity().join();
    var first = Files.readString(folder().resolve("server.pem"));

    at(folder(), List.of("LOCALHOST", "0:0:0:0:0:0:0:1")).identity().join();

    assertThat(folder().resolve("server.pem")).hasContent(first);
  }

  @Test
  void oneMoreNameMakesANewCertificateOfTheSameAuthority() throws Exception {
    var authority = at(folder(), NAMES).certificate();
    at(folder(), NAMES).identity().join();
    var more = at(folder(), List.of("localhost", "orders.test"));
    more.identity().join();

    assertThat(more.certificate()).isEqualTo(authority);
    assertThat(certificate(Files.readString(folder().resolve("server.pem"))))
        .satisfies(server -> assertThat(namesIn(server)).contains("orders.test"));
  }

  @Test
  void aCertificateThatIsBrokenOrOfAnotherAuthorityIsMadeAgain() throws Exception {
    at(folder(), NAMES).identity().join();
    var other = parent.resolve("other");
    at(other, NAMES).identity().join();
    Files.copy(
        other.resolve("server.pem"),
        folder().resolve("server.pem"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES);

    var again = at(folder(), NAMES);
    again.identity().join();

    certificate(Files.readString(folder().resolve("server.pem")))
        .verify(certificate(again.certificate()).getPublicKey());
  }

  @Test
  void aKeyThatOthersMayReadIsRefused() throws Exception {
    at(folder(), NAMES).certificate();
    Files.setPosixFilePermissions(
        folder().resolve("ca-key.pem"), PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> at(folder(), NAMES).certificate())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("set its permissions to 600");
    assertThat(at(folder(), NAMES).identity()).isCompletedExceptionally();
  }

  @Test
  void twoWhoMakeItAtOnceHaveTheSame() throws Exception {
    var folder = folder();
    var one = at(folder, NAMES);
    var other = at(folder, NAMES);

    assertThat(other.certificate()).isEqualTo(one.certificate());
    try (var left = Files.list(parent)) {
      assertThat(left).containsExactly(folder);
    }
  }

  @Test
  void inMemoryNothingIsWrittenAndEveryAuthorityIsAnother() throws Exception {
    var one = at(null, NAMES);
    one.identity().join();

    assertThat(one.certificate()).isNotEqualTo(at(null, NAMES).certificate());
    assertThat(certificate(one.certificate()).getSubjectX500Principal().getName())
        .startsWith("CN=Peeklock local CA ");
    try (var left = Files.list(parent)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void itIsMadeOnceHoweverManyAsk() {
    var authority = new LocalAuthority(null, NAMES, work::add);

    var first = authority.identity();
    var second = authority.identity();

    assertThat(first).isNotDone().isSameAs(second);
    assertThat(work).hasSize(1);
    work.remove().run();
    assertThat(first).isCompleted();
    assertThat(authority.identity()).isSameAs(first);
  }

  private static List<String> namesIn(X509Certificate certificate) throws Exception {
    return certificate.getSubjectAlternativeNames().stream()
        .map(name -> String.valueOf(name.get(1)))
        .toList();
  }

  private Path folder() {
    return parent.resolve("tls");
  }

  private static LocalAuthority at(@Nullable Path folder, List<String> names) {
    return new LocalAuthority(folder, names, Runnable::run);
  }

  private static X509Certificate certificate(String pem) throws Exception {
    var from = pem.substring(pem.indexOf("-----BEGIN CERTIFICATE"));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(from.getBytes(StandardCharsets.US_ASCII)));
  }
}

package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator's files, and what becomes of it when they change. */
class PemFilesTest {
  private @TempDir Path folder;
  private int changes;

  @Test
  void whatChangedIsShownToTheNextPeer() throws Exception {
    write(bundle(90));
    var files = PemFiles.load(certificate(), key());
    var before = files.identity().join();

    files.refresh();
    assertThat(files.identity().join()).isSameAs(before);

    write(bundle(60));
    files.refresh();
    assertThat(files.identity().join().validUntil()).isBefore(before.validUntil());
  }

  @Test
  void halfAChangeIsWaitedFor() throws Exception {
    write(bundle(90));
    var files = PemFiles.load(certificate(), key());
    var before = files.identity().join();
    var next = bundle(60);

    writeOne(certificate(), next.getCertificatePEM());
    files.refresh();
    assertThat(files.identity().join()).isSameAs(before);

    writeOne(key(), next.getPrivateKeyPEM());
    files.refresh();
    assertThat(files.identity().join()).isNotSameAs(before);
  }

  @Test
  void filesThatAreNoGoodOrGoneLeaveTheLastGoodOnes() throws Exception {
    write(bundle(90));
    var files = PemFiles.load(certificate(), key());
    var before = files.identity().join();

    writeOne(certificate(), "nothing");
    files.refresh();
    files.refresh();
    assertThat(files.identity().join()).isSameAs(before);

    Files.delete(key());
    files.refresh();
    assertThat(files.identity().join()).isSameAs(before);

    write(bundle(-1));
    files.refresh();
    assertThat(files.identity().join()).as("not an expired one").isSameAs(before);
  }

  private Path certificate() {
    return folder.resolve("c.pem");
  }

  private Path key() {
    return folder.resolve("k.pem");
  }

  private void write(X509Bundle bundle) throws Exception {
    writeOne(certificate(), bundle.getCertificatePEM());
    writeOne(key(), bundle.getPrivateKeyPEM());
  }

  /** With a time of its own, however fast the test is. */
  private void writeOne(Path file, String text) throws Exception {
    Files.writeString(file, text);
    changes++;
    Files.setLastModifiedTime(file, FileTime.fromMillis(changes * 1_000L));
  }

  private static X509Bundle bundle(int days) throws Exception {
    var end = Instant.now().plus(Duration.ofDays(days));
    return new CertificateBuilder()
        .subject("CN=localhost")
        .setIsCertificateAuthority(true)
        .notBefore(Instant.now().minus(Duration.ofDays(9)))
        .notAfter(end)
        .buildSelfSigned();
  }
}

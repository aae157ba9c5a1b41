package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code certificate export} does where there is a broker to ask and where there is none. */
@Timeout(300)
class CertificateCommandTest {
  private @TempDir Path folder;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int export(String... options) {
    var all = new ArrayList<>(List.of("export"));
    all.addAll(List.of(options));
    return CertificateCommand.run(all, new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  private static PeeklockServer start(String... options) throws IOException {
    return PeeklockServer.start(ServeOptions.read(new ArrayList<>(List.of(options))));
  }

  @Test
  void aBrokerInMemorySaysWhomToTrust() throws Exception {
    try (var server = start("--port=0", "--in-memory")) {
      assertThat(export("--from", "localhost:" + server.port())).isZero();

      assertThat(isTrusted(server.port(), printed.toByteArray())).isTrue();
    }
  }

  @Test
  void anIpv6AddressAndAnOutputFileAreTaken() throws Exception {
    var out = folder.resolve("ca.pem");
    try (var server = start("--port=0", "--in-memory", "--bind=::1")) {
      assertThat(export("--from=[::1]:" + server.port(), "--out=" + out)).isZero();
    }
    assertThat(Files.readString(out)).startsWith("-----BEGIN CERTIFICATE-----");
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains(out.toString());
  }

  /** Whether a client that trusts these alone, and looks at the name, talks to the broker. */
  private static boolean isTrusted(int port, byte[] pem) throws Exception {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry(
        "ca",
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (var socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port)) {
      var parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket.getSession().isValid();
    }
  }

  @Test
  void whereNobodyAnswersItFails() throws Exception {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    assertThat(export("--from", "localhost:" + free)).isEqualTo(1);
    assertThat(export("--from", "no-such-host.invalid")).isEqualTo(1);
    assertThat(printed.size()).isZero();
  }

  /** It closes without a word, as what speaks another protocol may. */
  @Test
  void whereNoTlsIsSpokenItFails() throws Exception {
    try (var other = new ServerSocket()) {
      other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try (var client = other.accept()) {
                  client.getOutputStream().write("220 hello\r\n".getBytes(StandardCharsets.UTF_8));
                } catch (IOException away) {
                  // the test says what it heard
                }
              });
      assertThat(export("--from", "localhost:" + other.getLocalPort())).isEqualTo(1);
    }
    assertThat(printed.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":5672", "localhost:x", "localhost:99999", "a b", "http://a", "a/b"})
  void whatIsNoAddressIsAWrongOption(String from) {
    assertThatThrownBy(() -> export("--from", from)).isInstanceOf(ConfigurationException.class);
  }

  @Test
  void aFolderAndABrokerAreTwoPlaces() {
    assertThatThrownBy(() -> export("--from", "localhost", "--data", folder.toString()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("--data and --from");
  }
}

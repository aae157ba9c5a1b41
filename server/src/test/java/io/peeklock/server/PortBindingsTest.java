package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import io.peeklock.transport.LocalAuthority;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ports of a whole broker: every protocol on every one. */
@Timeout(300)
class PortBindingsTest {
  private static final byte[] AMQP = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
  private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String UPGRADE =
      String.join(
          "\r\n",
          "GET /$servicebus/websocket HTTP/1.1",
          "Host: localhost",
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "Sec-WebSocket-Protocol: AMQPWSB10",
          "",
          "");

  private @TempDir Path folder;

  @Test
  void everyPortSpeaksEveryProtocol() throws Exception {
    try (var server = start("--port=0,0", "--in-memory")) {
      assertThat(server.ports()).hasSize(2);
      for (var port : server.ports()) {
        try (var socket = plain(port)) {
          socket.getOutputStream().write(AMQP);
          assertThat(socket.getInputStream().readNBytes(8)).isEqualTo(AMQP);
        }
        try (var socket = plain(port)) {
          assertThat(said(socket, HEALTH)).startsWith("HTTP/1.1 200 OK");
        }
        try (var socket = plain(port)) {
          assertThat(throughWebSocket(socket)).isEqualTo(AMQP);
        }
      }
    }
  }

  @Test
  void insideTlsItSpeaksTheSameAndTheExportedAuthorityIsTrusted() throws Exception {
    var data = folder.resolve("d");
    var ca = exported(data); // before the broker's first start
    try (var server = start("--port=0", "--data=" + data)) {
      var trusting = trusting(ca).getSocketFactory();
      try (var socket = (SSLSocket) trusting.createSocket("localhost", server.port())) {
        socket.setSoTimeout(60_000);
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        socket.setSSLParameters(parameters);
        assertThat(said(socket, HEALTH)).startsWith("HTTP/1.1 200 OK");
        assertThat(socket.getApplicationProtocol()).isEqualTo("http/1.1");
        assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
      }
      try (var socket = trusting.createSocket("localhost", server.port())) {
        socket.setSoTimeout(60_000);
        assertThat(throughWebSocket(socket)).isEqualTo(AMQP);
      }
      try (var socket = trusting.createSocket("localhost", server.port())) {
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(AMQP);
        assertThat(socket.getInputStream().readNBytes(8)).isEqualTo(AMQP);
      }
    }
    assertThat(exported(data)).isEqualTo(ca);
  }

  @Test
  void oldTlsIsRefused() throws Exception {
    try (var server = start("--port=0", "--data=" + folder.resolve("d"))) {
      var trusting = trusting(exported(folder.resolve("d"))).getSocketFactory();
      try (var socket = (SSLSocket) trusting.createSocket("localhost", server.port())) {
        socket.setSoTimeout(60_000);
        var old = Arrays.stream(socket.getSupportedProtocols()).filter("TLSv1.1"::equals);
        socket.setEnabledProtocols(old.toArray(String[]::new));

        assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void aNamedPortThatIsTakenEndsTheStartAndNoPortStaysOpen() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var ports = "--port=0," + taken.getLocalPort();

      assertThatThrownBy(() -> start(ports, "--in-memory"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("port " + taken.getLocalPort());
    }
  }

  @Test
  void aMadeCertificateWillDoForOtherMachinesWhenThatIsSaid() throws Exception {
    try (var server =
        start("--port=0", "--in-memory", "--bind=0.0.0.0", "--generate-certificate")) {
      assertThat(server.connectionString()).doesNotContain("UseDevelopmentEmulator");
      try (var socket = plain(server.port())) {
        socket.getOutputStream().write(AMQP);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void anIdleHttpConnectionDoesNotHoldTheEndUp() throws Exception {
    var server = start("--port=0", "--in-memory");
    try (var socket = plain(server.port())) {
      said(socket, HEALTH);
      var began = System.nanoTime();

      server.close();

      assertThat(System.nanoTime() - began).isLessThan(1_900_000_000L);
    }
  }

  @Test
  void exportSaysHowToTrustAndRefusesWhatCannotBe() throws Exception {
    var out = new ByteArrayOutputStream();
    var file = folder.resolve("ca.pem");
    var data = folder.resolve("d").toString();

    var code =
        CertificateCommand.run(
            List.of("export", "--data", data, "--out=" + file),
            new PrintStream(out, true, StandardCharsets.UTF_8));

    assertThat(code).isZero();
    assertThat(Files.readString(file))
        .startsWith("-----BEGIN CERTIFICATE-----")
        .doesNotContain("KEY");
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("keytool -importcert", "NODE_EXTRA_CA_CERTS=" + file, "SSL_CERT_FILE=" + file)
        .contains("REQUESTS_CA_BUNDLE=" + file)
        .containsPattern("[.]NET +export SSL_CERT_FILE=");
    var nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    for (var wrong :
        List.of(
            List.<String>of(),
            List.of("import"),
            List.of("export", "--dta", "x"),
            List.of("export", "--out"),
            List.of("export", "--data="))) {
      assertThatThrownBy(() -> CertificateCommand.run(wrong, nowhere))
          .isInstanceOf(ConfigurationException.class);
    }
    assertThat(CertificateCommand.run(List.of("export", "--data=" + file), nowhere)).isEqualTo(1);
  }

  private static String exported(Path data) throws IOException {
    return new LocalAuthority(data.resolve(Tls.FOLDER), List.of(), Runnable::run).certificate();
  }

  private static PeeklockServer start(String... options) throws IOException {
    return PeeklockServer.start(ServeOptions.read(new ArrayList<>(List.of(options))));
  }

  private static Socket plain(int port) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static String said(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      var next = socket.getInputStream().read();
      if (next < 0) {
        break;
      }
      head.append((char) next);
    }
    return head.toString();
  }

  /** The header of AMQP in a message, and what comes back in one. */
  private static byte[] throughWebSocket(Socket socket) throws IOException {
    assertThat(said(socket, UPGRADE)).startsWith("HTTP/1.1 101 Switching Protocols\r\n");
    var frame = new ByteArrayOutputStream();
    frame.writeBytes(new byte[] {(byte) 0x82, (byte) (0x80 | AMQP.length), 0, 0, 0, 0});
    frame.writeBytes(AMQP);
    socket.getOutputStream().write(frame.toByteArray());
    var answer = socket.getInputStream().readNBytes(2);
    assertThat(answer[0]).isEqualTo((byte) 0x82);
    return Arrays.copyOf(socket.getInputStream().readNBytes(answer[1]), AMQP.length);
  }

  private static SSLContext trusting(String ca) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry(
        "ca",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(ca.getBytes(StandardCharsets.US_ASCII))));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}

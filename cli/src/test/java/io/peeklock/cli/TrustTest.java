package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker in TLS is trusted by its authority, and what is wrong is said as it is. */
@Timeout(300)
class TrustTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path folder;

  private final StringWriter err = new StringWriter();
  private final List<HttpsServer> servers = new ArrayList<>();
  private Path ca = Path.of("");
  private int port;

  @BeforeEach
  void start() throws Exception {
    port = serve("localhost", "dns:localhost,dns:other.localhost");
    ca = folder.resolve("localhost.pem");
  }

  @AfterEach
  void stop() {
    servers.forEach(server -> server.stop(0));
  }

  /** A server that has nothing, with a certificate for some names, which stands in a file too. */
  private int serve(String name, String names) throws Exception {
    var keys = folder.resolve(name + ".p12");
    keytool(
        "-genkeypair",
        "-alias",
        "a",
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-ext",
        "san=" + names,
        "-keystore",
        keys.toString(),
        "-storetype",
        "PKCS12");
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        "a",
        "-keystore",
        keys.toString(),
        "-file",
        folder.resolve(name + ".pem").toString());
    var store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD);
    }
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, PASSWORD);
    var context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", exchange -> exchange.sendResponseHeaders(404, -1));
    server.start();
    servers.add(server);
    return server.getAddress().getPort();
  }

  private static void keytool(String... words) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(words));
    command.addAll(List.of("-storepass", new String(PASSWORD)));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  private int run(String... arguments) {
    return CliMain.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
  }

  private String connection(int at) {
    return "Endpoint=sb://localhost:" + at + ";SharedAccessKeyName=n;SharedAccessKey=k";
  }

  @Test
  void anAuthorityThatNobodyKnowsIsSaidWithTheWayOut() {
    assertThat(run("queue", "show", "q", "--connection", connection(port))).isEqualTo(4);
    assertThat(run("peek", "q", "--connection", connection(port))).isEqualTo(4);

    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("its certificate is not trusted. --ca FILE or PEEKLOCK_CA"))
        .allMatch(line -> line.contains("certificate export --from localhost:" + port))
        .noneMatch(line -> line.contains("Exception"));
  }

  @Test
  void theFileThatIsSaidIsTrusted() {
    var code = run("queue", "show", "q", "--connection", connection(port), "--ca", ca.toString());

    assertThat(code).isEqualTo(3);
    assertThat(err.toString()).isEqualTo("peeklock: there is no queue q\n");
  }

  @Test
  void theDataFolderOnThisMachineIsTrustedByItself() throws Exception {
    var data = folder.resolve("data");
    var where = ConnectionString.parse(connection(port));
    var before = Trust.of(null, data).context("localhost"); // a broker makes one when it is asked
    Files.createDirectories(data.resolve("tls"));
    Files.copy(ca, data.resolve("tls").resolve("ca.pem"));

    handshake(before);
    try (var api = new AdministrationClient(where, Trust.of(null, data))) {
      assertThat(api.read("q")).isNull();
    }
    var elsewhere = Trust.of(null, data).context("example.com");
    assertThatThrownBy(() -> handshake(elsewhere)).hasMessageContaining("certification path");
    handshake(Trust.of(null, data).context("other.localhost"));
  }

  private void handshake(SSLContext context) throws IOException {
    try (var socket = context.getSocketFactory().createSocket("localhost", port)) {
      ((SSLSocket) socket).startHandshake();
    }
  }

  @Test
  void aCertificateForOtherNamesIsSaid() throws Exception {
    var other = serve("elsewhere", "dns:elsewhere");

    var code =
        run(
            "queue",
            "show",
            "q",
            "--connection",
            connection(other),
            "--ca",
            folder.resolve("elsewhere.pem").toString());

    assertThat(code).isEqualTo(4);
    assertThat(err.toString()).contains("its certificate is for other names than localhost");
  }

  @Test
  void whoSpeaksNoTlsIsSaid() throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (var client = socket.accept()) {
                  client
                      .getOutputStream()
                      .write("AMQP\0\1\0\0".getBytes(StandardCharsets.US_ASCII));
                  client.getInputStream().readAllBytes();
                } catch (IOException gone) {
                  assertThat(gone).isNotNull();
                }
              });

      assertThat(run("peek", "q", "--connection", connection(socket.getLocalPort()))).isEqualTo(4);
    }
    assertThat(err.toString()).contains("it does not speak TLS there").hasLineCount(1);
  }

  @Test
  void whatIsNoCertificateIsSaid() throws Exception {
    var text = Files.writeString(folder.resolve("text"), "no certificate");

    for (var file : List.of(text.toString(), folder.resolve("none").toString())) {
      assertThat(run("peek", "q", "--connection", connection(port), "--ca", file)).isEqualTo(2);
    }
    assertThat(err.toString()).contains("holds no certificate in PEM", "cannot be read");
  }

  @Test
  void aHostThatIsNoneIsSaid() {
    var nowhere = connection(port).replace("localhost", "nowhere.invalid");

    assertThat(run("peek", "q", "--connection", nowhere)).isEqualTo(4);
    assertThat(run("queue", "list", "--connection", nowhere)).isEqualTo(4);

    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.endsWith("there is no host nowhere.invalid"));
  }
}

package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole broker with several namespaces: what each holds, who opens it, how it ends. */
@Timeout(300)
class NamespacesTest {
  private static final String KEY = "SAS_KEY_VALUE";

  private @TempDir Path folder;

  private static PeeklockServer start(String... options) throws IOException {
    return PeeklockServer.start(ServeOptions.read(new ArrayList<>(List.of(options))));
  }

  private String file(String text) throws IOException {
    return "--config=" + Files.writeString(folder.resolve("c.yaml"), text);
  }

  /** One request on a connection of its own; the whole answer. */
  private static String ask(Socket socket, String method, String host, String path, String token)
      throws IOException {
    var body = method.equals("POST") ? "of " + host : "";
    var request =
        String.join(
            "\r\n",
            method + " " + path + " HTTP/1.1",
            "Host: " + host,
            "Authorization: " + token,
            "Content-Length: " + body.length(),
            "Connection: close",
            "",
            body);
    socket.setSoTimeout(60_000);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String ask(int port, String method, String host, String path, String key)
      throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return ask(socket, method, host, path, token(host, key));
    }
  }

  private static String token(String host, String key) throws Exception {
    var resource = URLEncoder.encode("http://" + host + "/", StandardCharsets.UTF_8);
    var until = Instant.now().getEpochSecond() + 600;
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    var signature =
        Base64.getEncoder()
            .encodeToString(
                mac.doFinal((resource + "\n" + until).getBytes(StandardCharsets.UTF_8)));
    return "SharedAccessSignature sr="
        + resource
        + "&sig="
        + URLEncoder.encode(signature, StandardCharsets.UTF_8)
        + "&se="
        + until
        + "&skn=RootManageSharedAccessKey";
  }

  private static String take(int port, String host, String key) throws Exception {
    return ask(port, "DELETE", host, "/q/messages/head?timeout=0", key);
  }

  @Test
  void queuesOfOneNameHoldTheirOwnMessagesAcrossRestarts() throws Exception {
    var config = file("queues:\n  q:\nnamespaces:\n  tests:\n    queues:\n      q:\n      more:\n");
    var options = new String[] {config, "--port=0", "--data=" + folder.resolve("d")};
    try (var server = start(options)) {
      var sent = ask(server.port(), "POST", "tests.localhost", "/q/messages", KEY);
      assertThat(sent).startsWith("HTTP/1.1 201");
      assertThat(take(server.port(), "localhost", KEY)).startsWith("HTTP/1.1 204");
      assertThat(ask(server.port(), "GET", "tests.localhost", "/more", KEY))
          .contains("QueueDescription");
      assertThat(ask(server.port(), "GET", "localhost", "/more", KEY))
          .doesNotContain("QueueDescription");
      assertThat(server.catalogue().queue("more")).isNull();
    }
    assertThat(folder.resolve("d/namespaces/tests")).isDirectory();

    try (var server = start(options)) {
      assertThat(take(server.port(), "localhost", KEY)).startsWith("HTTP/1.1 204");
      assertThat(take(server.port(), "TESTS.localhost:99", KEY)).endsWith("of tests.localhost");
    }
  }

  private static void remove(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aFolderThatIsRemovedWhileItIsServedIsToldAndNotMadeAnewWithoutAWord() throws Exception {
    String[] options = {"--port=0", "--data=" + folder.resolve("d"), "--namespace=tests"};
    var gone = folder.resolve("d/namespaces/tests");
    try (var server = start(options)) {
      remove(gone);

      assertThat(Serving.lastWords(server.broken().get(), false))
          .contains(gone.toString(), "is gone with it")
          .doesNotContain("safe");
    }

    assertThatThrownBy(() -> start(options))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the namespace tests was served before")
        .hasMessageContaining(gone + ".served");
    assertThat(gone).doesNotExist();
    Files.delete(Path.of(gone + ".served"));
    start(options).close();
    assertThat(gone.resolve("format")).exists();
  }

  @Test
  void aLogThatCannotBeWrittenKeepsWhatItHas() {
    assertThat(Serving.lastWords(new IOException("no space"), false))
        .contains("no space; what was accepted is safe");
  }

  @Test
  void aBrokerInMemorySaysThatNothingIsLeftOfIt() {
    assertThat(Serving.lastWords(new OutOfMemoryError("Java heap space"), true))
        .contains("Java heap space; what was accepted is gone, as it was in memory only")
        .doesNotContain("safe");
  }

  @Test
  void aFolderThatTheSettingsDoNotNameIsLeftAloneAndNamed() throws Exception {
    var data = "--data=" + folder.resolve("d");
    start("--port=0", data, "--namespace=Old").close();
    var before = Files.getLastModifiedTime(folder.resolve("d/namespaces/old"));

    try (var server = start("--port=0", data, "--namespace=new")) {
      assertThat(banner(server))
          .contains("left alone  old: on disk, and not in the settings")
          .contains("namespace   new (new.*)")
          .contains("Endpoint=sb://new.localhost:" + server.port() + ";");
    }
    assertThat(Files.getLastModifiedTime(folder.resolve("d/namespaces/old"))).isEqualTo(before);
    try (var server = start("--port=0", data, "--namespace=old", "--namespace=new")) {
      assertThat(banner(server)).doesNotContain("left alone");
    }
  }

  @Test
  void aPortMayBelongToOneNamespaceWhateverItsClientsCallIt() throws Exception {
    var config =
        file(
            "namespaces:\n  a:\n    port: 0\n    queues:\n      q:\n  b:\n    queues:\n      q:\n");
    try (var server = start(config, "--port=0", "--in-memory")) {
      var own = server.boundPorts("a").getFirst();
      ask(own, "POST", "b.localhost", "/q/messages", KEY);

      assertThat(take(own, "localhost", KEY)).endsWith("of b.localhost");
      assertThat(take(server.port(), "b.localhost", KEY)).startsWith("HTTP/1.1 204");
      assertThat(server.ports()).doesNotContain(own);
      assertThat(server.connectionString("a")).contains("sb://localhost:" + own + ";");
      assertThat(server.connectionString("b")).contains("sb://b.localhost:" + server.port() + ";");
      assertThat(banner(server)).contains("namespace   a (a.*, port " + own + ")");
      assertThatThrownBy(() -> server.connectionString("c"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aPortThatIsTakenEndsTheStart() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var own = "--namespace=a,Port=" + taken.getLocalPort();

      assertThatThrownBy(() -> start("--port=0", "--in-memory", own))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("port " + taken.getLocalPort());
    }
  }

  @Test
  void theKeyOfOneDoesNotOpenAnother() throws Exception {
    var data = folder.resolve("d");
    var options =
        new String[] {
          "--port=0",
          "--bind=0.0.0.0",
          "--allow-plaintext",
          "--data=" + data,
          "--namespace=a,Host=queues.example.com",
          "--namespace=b"
        };
    try (var server = start(options)) {
      var ofA = Files.readString(data.resolve("namespaces/a/namespace-key")).strip();
      var ofB = Files.readString(data.resolve("namespaces/b/namespace-key")).strip();
      var path = "/$Resources/Queues";

      assertThat(List.of(ofA, ofB, server.key().text())).doesNotHaveDuplicates();
      assertThat(ask(server.port(), "GET", "queues.example.com", path, ofA))
          .startsWith("HTTP/1.1 200");
      assertThat(ask(server.port(), "GET", "a.localhost", path, ofB)).startsWith("HTTP/1.1 401");
      assertThat(ask(server.port(), "GET", "localhost", path, ofA)).startsWith("HTTP/1.1 401");
      assertThat(ask(server.port(), "GET", "a.localhost", path, server.key().text()))
          .startsWith("HTTP/1.1 401");
      assertThat(banner(server)).contains(ofA, ofB);
    }
    try (var server = start(options)) {
      assertThat(banner(server)).doesNotContain("SharedAccessKey=");
    }
  }

  @Test
  void oneThatCannotStartEndsTheOthersInOrder() throws Exception {
    var data = folder.resolve("d");
    Files.createDirectories(data.resolve("namespaces"));
    Files.writeString(data.resolve("namespaces/b"), "a file");
    var options = new String[] {"--port=0", "--data=" + data, "--namespace=a", "--namespace=b"};

    assertThatThrownBy(() -> start(options))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("b");

    Files.delete(data.resolve("namespaces/b"));
    start(options).close(); // nobody holds a lock
  }

  @Test
  void aDifferingEntityOfOneEndsTheStartOfWhoIsStrict() throws Exception {
    var data = "--data=" + folder.resolve("d");
    var text = "namespaces:\n  a:\n    queues:\n      q:\n        MaxDeliveryCount: ";
    start(file(text + "5\n"), "--port=0", data).close();

    assertThatThrownBy(() -> start(file(text + "6\n"), "--port=0", data, "--strict-entities"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("queue q exists and differs");
  }

  @Test
  void whoCameByOneNameInTheHandshakeIsNotServedByAnother() throws Exception {
    var config = file("namespaces:\n  a:\n    queues:\n      q:\n  b:\n    queues:\n      q:\n");
    try (var server = start(config, "--port=0", "--in-memory")) {
      try (var socket = secure(server.port(), "a.localhost")) {
        assertThat(ask(socket, "GET", "b.localhost", "/q", token("b.localhost", KEY)))
            .startsWith("HTTP/1.1 421");
      }
      try (var socket = secure(server.port(), "a.localhost")) {
        assertThat(ask(socket, "GET", "localhost", "/q", token("localhost", KEY)))
            .startsWith("HTTP/1.1 200");
      }
      try (var socket = secure(server.port(), "unknown.localhost")) {
        assertThat(ask(socket, "GET", "b.localhost", "/q", token("b.localhost", KEY)))
            .startsWith("HTTP/1.1 200");
      }
    }
  }

  @Test
  void metricsTellNamespacesApartWhereThereAreSeveral() throws Exception {
    var config = file("queues:\n  q:\nnamespaces:\n  tests:\n    queues:\n      q:\n");
    try (var server = start(config, "--port=0", "--in-memory")) {
      ask(server.port(), "POST", "tests.localhost", "/q/messages", KEY);

      var page = metrics(server.port(), "localhost");

      assertThat(page)
          .containsPattern("peeklock_messages\\{.*namespace=\"tests\",state=\"active\".*\\} 1")
          .containsPattern("peeklock_messages\\{.*namespace=\"default\",state=\"active\".*\\} 0")
          .containsPattern("peeklock_log_size_bytes\\{namespace=\"tests\"\\}")
          .contains("peeklock_standing_seconds{namespace=\"tests\"} 0.0")
          .contains("peeklock_ready 1.0");
      assertThat(metrics(server.port(), "tests.localhost")).contains("namespace=\"default\"");
    }
    try (var server = start("--port=0", "--in-memory", "--queue=q")) {
      assertThat(metrics(server.port(), "localhost")).doesNotContain("namespace=");
    }
  }

  private static String metrics(int port, String host) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      var request = "GET /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static SSLSocket secure(int port, String name) throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, null);
    var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    var parameters = socket.getSSLParameters();
    parameters.setServerNames(List.of(new SNIHostName(name)));
    socket.setSSLParameters(parameters);
    return socket;
  }

  /** Certificates are another test's matter. */
  private static final class TrustAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      assertThat(chain).isNotEmpty();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static String banner(PeeklockServer server) throws IOException {
    var out = new ByteArrayOutputStream();
    Banner.print(server, new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }
}

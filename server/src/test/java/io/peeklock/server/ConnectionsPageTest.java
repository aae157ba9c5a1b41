package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import io.peeklock.server.config.ServeOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is connected, over HTTP. */
@Timeout(60)
class ConnectionsPageTest {
  /** The header of the SASL layer. */
  private static final byte[] HELLO = HexFormat.of().parseHex("414d515003010000");

  private static PeeklockServer start() throws IOException {
    return PeeklockServer.start(
        ServeOptions.read(List.of("--in-memory", "--port", "0", "--queue", "q")));
  }

  private static HttpResponse<String> ask(PeeklockServer server, String query, String key)
      throws Exception {
    var uri = URI.create("http://localhost:" + server.port() + "/$peeklock/connections" + query);
    try (var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(uri).header("Authorization", token(key)).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  private static String token(String key) throws Exception {
    var resource = URLEncoder.encode("http://localhost/", StandardCharsets.UTF_8);
    var until = Instant.now().getEpochSecond() + 600;
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    var signed = mac.doFinal((resource + "\n" + until).getBytes(StandardCharsets.UTF_8));
    var signature =
        URLEncoder.encode(Base64.getEncoder().encodeToString(signed), StandardCharsets.UTF_8);
    return String.format(
        Locale.ROOT,
        "SharedAccessSignature sr=%s&sig=%s&se=%d&skn=RootManageSharedAccessKey",
        resource,
        signature,
        until);
  }

  private static Socket greet(PeeklockServer server) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(30_000);
    socket.getOutputStream().write(HELLO);
    assertThat(socket.getInputStream().readNBytes(8)).hasSize(8);
    return socket;
  }

  @Test
  @Rule({"S-476", "S-478"})
  void whoIsThereIsToldToWhoMayManage() throws Exception {
    try (var server = start();
        var first = greet(server);
        var second = greet(server)) {
      var all = ask(server, "", "SAS_KEY_VALUE");

      assertThat(all.statusCode()).as(all.body()).isEqualTo(200);
      assertThat(all.body())
          .contains("127.0.0.1:" + first.getLocalPort(), "127.0.0.1:" + second.getLocalPort())
          .contains("\"linkCount\":0", "\"policies\":[]")
          .doesNotContain("\"next\"");
      var page = ask(server, "?top=1", "SAS_KEY_VALUE").body();
      assertThat(page).contains("\"next\":1").doesNotContain(":" + second.getLocalPort());
      assertThat(ask(server, "?top=1&after=1", "SAS_KEY_VALUE").body())
          .contains(":" + second.getLocalPort());
      assertThat(ask(server, "", "wrong").statusCode()).isEqualTo(401);
      for (var wrong : List.of("?top=0", "?top=201", "?after=-1", "?after=x")) {
        assertThat(ask(server, wrong, "SAS_KEY_VALUE").statusCode()).as(wrong).isEqualTo(400);
      }
    }
  }
}

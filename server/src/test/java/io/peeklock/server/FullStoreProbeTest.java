package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import io.peeklock.server.config.ServeOptions;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What probes do to a broker that has no room. */
@Timeout(120)
class FullStoreProbeTest {
  private static final String KEY = "SAS_KEY_VALUE";

  private static String token() throws Exception {
    var resource = URLEncoder.encode("http://localhost/", StandardCharsets.UTF_8);
    var until = Instant.now().getEpochSecond() + 600;
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    var signed = mac.doFinal((resource + "\n" + until).getBytes(StandardCharsets.UTF_8));
    var signature =
        URLEncoder.encode(Base64.getEncoder().encodeToString(signed), StandardCharsets.UTF_8);
    return "SharedAccessSignature sr="
        + resource
        + "&sig="
        + signature
        + "&se="
        + until
        + "&skn=RootManageSharedAccessKey";
  }

  /** The status of the answer. */
  private static String send(int port, String queue) throws Exception {
    var body = "x".repeat(200_000);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      var request =
          "POST /"
              + queue
              + "/messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: "
              + token()
              + "\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      var answer = socket.getInputStream().readAllBytes();
      return new String(answer, StandardCharsets.US_ASCII).substring(9, 12);
    }
  }

  @Test
  @Rule({"I-08", "I-46"})
  void whoFillsOneQueueLeavesRoomForAnother() throws Exception {
    var options =
        List.of("--port=0", "--in-memory", "--memory-megabytes=16", "--queue=a", "--queue=b");
    try (var server = PeeklockServer.start(ServeOptions.read(options))) {
      var sent = 0;
      while (send(server.port(), "a").equals("201")) {
        sent++;
      }

      assertThat(sent).as("of 64 blocks").isBetween(40, 56);
      assertThat(send(server.port(), "b")).isEqualTo("201");
      assertThat(send(server.port(), "a")).isEqualTo("403");
    }
  }

  /** Anybody may ask, and every batch of the log would take from the room that is left. */
  @Test
  void whoAsksWhetherItIsReadyHasNothingWrittenWhereThereIsNoRoom() throws Exception {
    var options = List.of("--port=0", "--in-memory", "--memory-megabytes=1", "--queue=q");
    try (var server = PeeklockServer.start(ServeOptions.read(options))) {
      var namespace = server.namespace(Namespace.DEFAULT);
      var vitals =
          new Vitals(
              List.of(namespace), () -> CompletableFuture.completedFuture(null), () -> false);
      var steps = namespace.meters().steps();
      var whenEmpty = steps.count();
      for (var i = 0; i < 100; i++) {
        assertThat(vitals.unready().get()).isEmpty();
      }
      assertThat(steps.count() - whenEmpty).as("each took a step").isGreaterThanOrEqualTo(100);
      var sent = 0;
      while (send(server.port(), "q").equals("201") && sent < 20) {
        sent++;
      }
      assertThat(sent).isBetween(1, 19);

      var whenFull = steps.count();
      for (var i = 0; i < 100; i++) {
        assertThat(vitals.unready().get()).contains("sends are refused for want of space");
      }

      assertThat(steps.count() - whenFull).isLessThan(20);
    }
  }
}

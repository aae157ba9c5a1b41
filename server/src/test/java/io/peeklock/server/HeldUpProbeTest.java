package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.meter.WaitMeter;
import io.peeklock.server.config.ServeOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What is told of messages that should move by themselves and cannot. */
@Timeout(120)
class HeldUpProbeTest {
  private static final String QUEUES =
      """
      queues:
        failed: {MaxSizeInMegabytes: 1}
        orders:
          ForwardDeadLetteredMessagesTo: failed
          DefaultMessageTimeToLive: PT1S
          DeadLetteringOnMessageExpiration: true
      """;

  private @TempDir Path folder;

  @Test
  void aReasonIsSaidOnceForAllNamespacesAndNobodyIsNamed() {
    var one = new WaitMeter();
    var other = new WaitMeter();
    assertThat(Vitals.heldUp(List.of(one, other))).isEmpty();
    one.add(WaitReason.DESTINATION_FULL, 1);
    other.add(WaitReason.DESTINATION_FULL, 1);
    other.add(WaitReason.MESSAGE_UNREADABLE, 1);

    assertThat(Vitals.heldUp(List.of(one, other)))
        .hasValue(
            "messages are stuck: of 2 entities, as their destination is full, of 1 entity, as the"
                + " next one cannot be read; the broker's log names them");
  }

  @Test
  @Rule("S-200")
  void aFullDestinationIsAWarningAndAMetricAlsoAfterARestartAndTheBrokerIsReady() throws Exception {
    Files.writeString(folder.resolve("p.yaml"), QUEUES);
    try (var server = start()) {
      var sent = 0;
      while (send(server.port(), "failed").equals("201")) {
        assertThat(++sent).isLessThan(20);
      }
      assertThat(asked(server.port(), "/health")).doesNotContain("warning");
      assertThat(send(server.port(), "orders")).isEqualTo("201");

      isTold(server);
    }
    try (var again = start()) {
      isTold(again);
    }
  }

  @Test
  @Rule("S-303")
  void theLogSaysWhichOfSeveralNamespacesItIsIn() throws Exception {
    var queues =
        """
        queues:
          failed: {Status: SendDisabled}
          orders:
            ForwardDeadLetteredMessagesTo: failed
            DefaultMessageTimeToLive: PT1S
            DeadLetteringOnMessageExpiration: true
        """;
    Files.writeString(
        folder.resolve("p.yaml"), queues + "namespaces:\n  tenant:\n" + queues.indent(4));
    var lines = new ListAppender<ILoggingEvent>();
    lines.list = new CopyOnWriteArrayList<>(); // other threads write
    lines.start();
    var log = (Logger) LoggerFactory.getLogger(Shard.class);
    log.addAppender(lines);
    try (var server = start()) {
      assertThat(send(server.port(), "localhost", "orders")).isEqualTo("201");
      assertThat(send(server.port(), "tenant.localhost", "orders")).isEqualTo("201");
      while (lines.list.size() < 2) {
        Thread.onSpinWait(); // the test's time limit ends it
      }
    } finally {
      log.detachAppender(lines);
    }

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .anySatisfy(
            line -> assertThat(line).contains("'orders' forwards to 'failed' have not moved on"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("'orders' forwards to 'failed' in the namespace tenant have not"));
  }

  private PeeklockServer start() throws IOException {
    return PeeklockServer.start(
        ServeOptions.read(
            List.of(
                "--data=" + folder.resolve("data"),
                "--port=0",
                "--config=" + folder.resolve("p.yaml"))));
  }

  private static void isTold(PeeklockServer server) throws Exception {
    var shown = "peeklock_entities_held_up{reason=\"destination_full\"} ";
    while (asked(server.port(), "/metrics").contains(shown + "0.0")) {
      Thread.onSpinWait(); // the test's time limit ends it
    }
    assertThat(asked(server.port(), "/metrics"))
        .contains(shown + "1.0")
        .contains("peeklock_ready 1.0")
        .contains("peeklock_entities_held_up{reason=\"store_full\"} 0.0");
    assertThat(asked(server.port(), "/health/ready"))
        .startsWith("HTTP/1.1 200 ")
        .contains("of 1 entity, as their destination is full")
        .as("whoever asks")
        .doesNotContain("orders");
  }

  private static String asked(int port, String path) throws IOException {
    return answer(
        port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }

  /** The status of the answer. */
  private static String send(int port, String queue) throws Exception {
    return send(port, "localhost", queue);
  }

  private static String send(int port, String host, String queue) throws Exception {
    var body = "x".repeat(200_000);
    var request =
        "POST /"
            + queue
            + "/messages HTTP/1.1\r\nHost: "
            + host
            + "\r\nConnection: close\r\nAuthorization: "
            + token(host)
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    return answer(port, request).substring(9, 12);
  }

  private static String answer(int port, String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String token(String host) throws Exception {
    var resource = URLEncoder.encode("http://" + host + "/", StandardCharsets.UTF_8);
    var until = Instant.now().getEpochSecond() + 600;
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("SAS_KEY_VALUE".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    var signed = mac.doFinal((resource + "\n" + until).getBytes(StandardCharsets.UTF_8));
    var signature =
        URLEncoder.encode(Base64.getEncoder().encodeToString(signed), StandardCharsets.UTF_8);
    return ("SharedAccessSignature sr=" + resource + "&sig=" + signature)
        + ("&se=" + until + "&skn=RootManageSharedAccessKey");
  }
}

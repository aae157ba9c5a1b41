package io.peeklock.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.PlainHttp;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.SharedAccess;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of many mebibytes over HTTP, with curl, a kill, and clients of the other wire. */
@LongProof
class LargeCurlTest {
  private static final int MIB = 1 << 20;

  private @TempDir Path folder;

  private final BrokerProcess broker =
      BrokerProcess.start(
          Folders.fresh("large-curl"),
          List.of(
              "--queue", "orders",
              "--queue", "small,MaxMessageSizeInKilobytes=2048",
              "--topic", "news",
              "--subscription", "news/all"));

  private Curl curl() {
    return new Curl("http://localhost:" + broker.port(), folder);
  }

  @AfterEach
  void away() {
    broker.close();
  }

  private static byte[] noise(int bytes) {
    var noise = new byte[bytes];
    for (var i = 0; i < bytes; i++) {
      noise[i] = (byte) (i * 31 + (i >> 10));
    }
    return noise;
  }

  private String[] upload(byte[] body, boolean chunked, String... more) throws IOException {
    var file = Files.write(folder.resolve("large"), body).toString();
    var how =
        chunked
            ? List.of("-T", file, "-H", "Transfer-Encoding: chunked")
            : List.of("--data-binary", "@" + file);
    var all = new ArrayList<>(how);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  /** Files of large bodies that are there, arriving ones included. */
  private List<Path> bodies() {
    try (var files = Files.walk(broker.data())) {
      return files.filter(file -> file.toString().endsWith(".body")).toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private ServiceBusReceivedMessage received(ServiceBusReceiverClient receiver) {
    var message = TestQueue.next(receiver);
    receiver.complete(message);
    return message;
  }

  @Test
  @Rule({"S-001", "S-055", "S-084", "I-01", "I-04"})
  void whatWasAnsweredWith201IsThereAfterAKill() throws IOException {
    var body = noise(12 * MIB);
    var other = noise(8 * MIB + 3);
    var properties =
        new String[] {"-H", "BrokerProperties: {\"Label\":\"M1\"}", "-H", "Priority: 7"};
    assertThat(curl().ask("POST", "/orders/messages", upload(body, false, properties)).status())
        .isEqualTo(201);
    assertThat(curl().ask("POST", "/news/messages", upload(body, false)).status()).isEqualTo(201);
    assertThat(curl().ask("POST", "/orders/messages", upload(other, true, properties)).status())
        .isEqualTo(201);

    broker.kill();
    broker.restart();

    try (var orders =
            Sdk.connection(broker.connectionString()).receiver().queueName("orders").buildClient();
        var news =
            Sdk.connection(broker.connectionString())
                .receiver()
                .topicName("news")
                .subscriptionName("all")
                .buildClient()) {
      for (var expected : List.of(body, other)) {
        var message = received(orders);
        assertThat(Arrays.equals(message.getBody().toBytes(), expected)).isTrue();
        assertThat(message.getSubject()).isEqualTo("M1");
        assertThat(message.getApplicationProperties()).containsEntry("Priority", 7L);
      }
      assertThat(Arrays.equals(received(news).getBody().toBytes(), body)).isTrue();
    }
    Patience.until("their files are removed", () -> bodies().isEmpty());
  }

  @Test
  @Rule({"S-021", "S-024"})
  void whatCurlSendsCurlReceivesInBothWays() throws IOException {
    var first = noise(8 * MIB);
    var second = noise(9 * MIB);
    curl().ask("POST", "/orders/messages", upload(first, false));
    curl().ask("POST", "/orders/messages", upload(second, true));

    var locked = curl().ask("POST", "/orders/messages/head?timeout=15", "-H", "Content-Length: 0");
    assertThat(locked.status()).isEqualTo(201);
    assertThat(Arrays.equals(locked.body(), first)).isTrue();
    var gone = curl().ask("DELETE", "/orders/messages/head?timeout=15");
    assertThat(gone.status()).isEqualTo(200);
    assertThat(Arrays.equals(gone.body(), second)).isTrue();

    assertThat(curl().ask("DELETE", locked.header("Location")).status()).isEqualTo(200);
    assertThat(curl().ask("DELETE", "/orders/messages/head?timeout=0").status()).isEqualTo(204);
    Patience.until("their files are removed", () -> bodies().isEmpty());
  }

  @Test
  @Rule({"S-431", "S-432"})
  void whatIsTooLargeForItsQueueIsRefusedAndNothingOfItStays() throws IOException {
    var large = noise(20 * MIB);
    for (var chunked : List.of(false, true)) {
      var refused = curl().ask("POST", "/small/messages", upload(large, chunked));
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.text()).contains("SubCode=40300. What is sent has ");
    }
    // Who asks first is not told to go on.
    var said =
        PlainHttp.raw(
            broker.port(),
            head("/small/messages", "Content-Length: 3000000") + "Expect: 100-continue\r\n\r\n");
    assertThat(said).startsWith("HTTP/1.1 403 ").doesNotContain("100 Continue");

    assertThat(bodies()).isEmpty();
    assertThat(curl().ask("POST", "/small/messages", upload(noise(2_000_000), true)).status())
        .isEqualTo(201);
  }

  private String head(String path, String more) {
    var token =
        SharedAccess.token(
            "http://localhost:" + broker.port(), BrokerProcess.KEY_NAME, BrokerProcess.KEY);
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
        + token
        + "\r\n"
        + more
        + "\r\n";
  }

  @Test
  @Rule("I-08")
  void whoDiesInTheMiddleLeavesNoFile() throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
      var out = socket.getOutputStream();
      var head = head("/orders/messages", "Content-Length: 9000000") + "\r\n";
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.write(noise(4 * MIB));
      out.flush();
      Patience.until("the body is on its way", () -> !bodies().isEmpty());
      socket.setSoLinger(true, 0); // a reset
    }

    Patience.until("it is given back", () -> bodies().isEmpty());
    assertThat(curl().ask("DELETE", "/orders/messages/head?timeout=0").status()).isEqualTo(204);
  }
}

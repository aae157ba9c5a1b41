package io.peeklock.conformance.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bytes of the real program's log that change while it is not looking. */
@LongProof
class DamagedLogTest {
  private static final int BODY_BYTES = 1_000_000;

  private final BrokerProcess broker =
      BrokerProcess.withQueues(Folders.fresh("damaged"), "orders", "invoices");

  @AfterEach
  void away() {
    broker.close();
  }

  private Path log() {
    return broker.data().resolve("0000000000000000001.log");
  }

  private ServiceBusClientBuilder connection() {
    return Sdk.connection(broker.connectionString());
  }

  private static byte[] bodyOf(int number) {
    var bytes = new byte[BODY_BYTES];
    new Random(number).nextBytes(bytes);
    return bytes;
  }

  private void send(String queue, int from, int to) {
    try (var sender = connection().sender().queueName(queue).buildClient()) {
      for (var i = from; i < to; i++) {
        sender.sendMessage(new ServiceBusMessage(BinaryData.fromBytes(bodyOf(i))));
      }
    }
  }

  /** Flips a bit in the middle of the body with this number. */
  private static void damage(Path path, int number) throws IOException {
    var bytes = Files.readAllBytes(path);
    bytes[placeOf(number, bytes) + BODY_BYTES / 2] ^= 4;
    Files.write(path, bytes);
  }

  private static int placeOf(int number, byte[] file) {
    var beginning = Arrays.copyOf(bodyOf(number), 64);
    for (var at = 0; at + 64 <= file.length; at++) {
      if (file[at] == beginning[0] && Arrays.equals(file, at, at + 64, beginning, 0, 64)) {
        return at;
      }
    }
    throw new AssertionError("body " + number + " is not in the file");
  }

  private Path largeFile() throws IOException {
    try (var files = Files.list(broker.data().resolve("large"))) {
      return files.findFirst().orElseThrow();
    }
  }

  @Test
  @Rule({"I-11", "I-18"})
  void aDamagedBodyInASealedSegmentStopsItsQueueAndNothingElse() throws IOException {
    send("invoices", 0, 1);
    send("orders", 1, 75); // beyond one segment
    broker.stop();
    damage(log(), 3);
    broker.restart();

    stopped("orders", log() + " at offset [0-9]+ fails its checksum");
    stopped("orders", log() + " at offset [0-9]+ fails its checksum");

    nothingComesTo("orders");
    othersGoOn();
  }

  /** The SDK does not try again and again, but says why. */
  private void nothingComesTo(String queue) {
    try (var receiver =
        connection().receiver().queueName(queue).disableAutoComplete().buildClient()) {
      assertThatThrownBy(() -> receiver.receiveMessages(5, TestQueue.PATIENCE).stream().count())
          .rootCause()
          .hasMessageContaining("a stored message cannot be read");
    }
  }

  @Test
  @Rule({"I-11", "I-18"})
  void aDamagedLargeBodyStopsItsQueueAndNothingElse() throws IOException {
    send("invoices", 0, 1);
    try (var sender = connection().sender().queueName("orders").buildClient()) {
      var large = Arrays.copyOf(bodyOf(7), 3 * BODY_BYTES);
      sender.sendMessage(new ServiceBusMessage(BinaryData.fromBytes(large)));
    }
    broker.stop();
    damage(largeFile(), 7);
    broker.restart();

    stopped("orders", largeFile() + " is damaged at offset [0-9]+");
    stopped("orders", largeFile() + " is damaged at offset [0-9]+");

    othersGoOn();
  }

  /** A receiver is detached with the error, its messages neither given nor counted. */
  private void stopped(String queue, String said) throws IOException {
    var mark = broker.output().mark();
    try (var connection = RawConnection.ready(broker.port())) {
      RawLinks.attached(connection, RawLinks.receiver(0, queue));
      connection.send(0, RawLinks.flow(0, 0, 1, false));
      connection.send(0, RawLinks.flow(0, 0, 10, false));
      connection.flush();
      var detach = connection.await(RawConnection.DETACH);
      var error = (Described) Objects.requireNonNull(detach.field(2));
      assertThat(error.field(0)).hasToString("com.microsoft:entity-disabled");
      assertThat(String.valueOf(error.field(1)))
          .contains("a stored message cannot be read", "TrackingId:");
    }
    assertThat(broker.output().await(mark, Pattern.compile(said), Duration.ofSeconds(30)))
        .isPresent();
  }

  private void othersGoOn() {
    send("orders", 100, 101);
    try (var receiver =
        connection().receiver().queueName("invoices").disableAutoComplete().buildClient()) {
      var invoice = TestQueue.next(receiver);
      assertThat(invoice.getBody().toBytes()).isEqualTo(bodyOf(0));
      receiver.complete(invoice);
    }
    assertThat(broker.alive()).isTrue();
  }

  @Test
  @Rule("I-11")
  void aDamagedBodyInTheOpenSegmentIsRefusedAtTheStartAndNamed() throws IOException {
    send("orders", 1, 4);
    broker.stop();
    damage(log(), 2);
    var before = Files.readAllBytes(log());

    broker.launchAgain();

    assertThat(broker.awaitExit()).isEqualTo(1);
    assertThat(
            broker
                .output()
                .await(
                    0,
                    Pattern.compile(
                        "^peeklock: "
                            + log()
                            + " is damaged at offset [0-9]+: body .* was durable"),
                    Duration.ofSeconds(30)))
        .as(broker.output().text())
        .isPresent();
    assertThat(Files.readAllBytes(log())).isEqualTo(before);
  }

  @Test
  @Rule({"I-11", "I-01"})
  void aTornEndIsCutAndSaid() throws IOException {
    send("orders", 1, 3);
    broker.stop();
    var size = Files.size(log());
    Files.write(log(), new byte[777], StandardOpenOption.APPEND);

    broker.restart();

    var said = log() + " is cut at offset " + size + ", 777 bytes go";
    assertThat(broker.output().text()).contains(said);
    try (var receiver =
        connection().receiver().queueName("orders").disableAutoComplete().buildClient()) {
      assertThat(TestQueue.next(receiver, 2)).hasSize(2);
    }
  }
}

package io.peeklock.conformance.raw;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.SubQueue;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What is sent via one queue to another that takes nothing: sent frame by frame, as older clients
 * do, and received by the official client for Java from the transfer dead-letter queue.
 */
class TransferDeadLetterTest {
  private static final long VIA = 0;

  private final BrokerProcess broker =
      BrokerProcess.start(
          Folders.fresh("transfers"),
          BrokerProcess.queueOptions(List.of("orders", "bills,Status=SendDisabled")));

  @AfterEach
  void stop() {
    broker.close();
  }

  private static Described via(String entity, String destination) {
    return Described.list(
        RawConnection.ATTACH,
        "VIA-" + entity,
        Unsigned.uint(VIA),
        false,
        Unsigned.ubyte(0),
        Unsigned.ubyte(0),
        Described.list(0x28, "here"),
        Described.list(0x29, entity),
        null,
        null,
        Unsigned.uint(0),
        null,
        null,
        null,
        Map.of(new Symbol("com.microsoft:transfer-destination-address"), destination));
  }

  private void sendVia(String body) throws IOException {
    try (var client = RawConnection.ready(broker.port())) {
      RawLinks.attached(client, via("orders", "bills"));
      var text = body.getBytes(StandardCharsets.UTF_8);
      RawLinks.transfer(client, VIA, false, AmqpWriter.bytes(Described.of(0x75, text)));
      client.flush();
      var state = client.await(RawConnection.DISPOSITION).field(4);
      assertThat(state)
          .isInstanceOfSatisfying(Described.class, s -> assertThat(s.code()).isEqualTo(0x24));
    }
  }

  private ServiceBusReceiverClient transferDeadLetters() {
    return Sdk.connection(broker.connectionString())
        .receiver()
        .queueName("orders")
        .subQueue(SubQueue.TRANSFER_DEAD_LETTER_QUEUE)
        .disableAutoComplete()
        .buildClient();
  }

  @Test
  @Rule({"S-205", "S-303", "I-01"})
  void itIsReceivedAndCompletedThereAlsoAfterAKill() throws IOException {
    sendVia("bill");
    sendVia("another");

    try (var receiver = transferDeadLetters()) {
      var first = TestQueue.next(receiver);
      assertThat(first.getBody().toString()).isEqualTo("bill");
      assertThat(first.getDeadLetterReason()).isNotBlank();
      assertThat(first.getDeadLetterErrorDescription()).contains("disabled");
      receiver.complete(first);
    }
    broker.kill();
    broker.restart();

    try (var receiver = transferDeadLetters()) {
      var left = receiver.peekMessages(10, 0).stream().toList();
      assertThat(TestQueue.bodies(left)).containsExactly("another");
    }
    try (var orders =
        Sdk.connection(broker.connectionString()).receiver().queueName("orders").buildClient()) {
      assertThat(orders.peekMessages(10, 0)).isEmpty();
    }
  }
}

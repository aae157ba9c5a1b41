package io.peeklock.conformance.sdk;

import static io.peeklock.conformance.TestQueue.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Forwarding, as the unmodified client for Java sees it, and through a kill. */
@LongProof
class ForwardTest {
  private static final String CONFIG =
      """
      queues:
        start:
          ForwardTo: middle
        middle:
          ForwardTo: events
        end:
        orders:
          ForwardDeadLetteredMessagesTo: failed
        failed:
      topics:
        events:
          subscriptions:
            red:
              rules:
                red:
                  filter: colour = 'red'
            onward:
              ForwardTo: end
      """;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final BrokerProcess broker;

  ForwardTest() throws IOException {
    var folder = Folders.fresh("forwards");
    Files.createDirectories(folder);
    Path config = folder.resolve("forwards.yaml");
    Files.writeString(config, CONFIG);
    broker = BrokerProcess.start(folder.resolve("data"), List.of("--config", config.toString()));
  }

  @BeforeEach
  void isUp() {
    assertThat(broker.port()).isPositive();
  }

  @AfterEach
  void stop() throws Exception {
    closeClients();
    broker.close();
  }

  private void closeClients() throws Exception {
    for (var client : opened) {
      client.close();
    }
    opened.clear();
  }

  private <T extends AutoCloseable> T closing(T client) {
    opened.addFirst(client);
    return client;
  }

  private ServiceBusSenderClient sender(String queue) {
    return closing(
        Sdk.connection(broker.connectionString()).sender().queueName(queue).buildClient());
  }

  private ServiceBusReceiverClient receiver(String queue, ServiceBusReceiveMode mode) {
    return closing(
        Sdk.connection(broker.connectionString())
            .receiver()
            .queueName(queue)
            .receiveMode(mode)
            .maxAutoLockRenewDuration(Duration.ZERO)
            .disableAutoComplete()
            .buildClient());
  }

  private ServiceBusReceivedMessage next(String queue) {
    return TestQueue.next(receiver(queue, ServiceBusReceiveMode.PEEK_LOCK));
  }

  @Test
  @Rule({"S-285", "S-146", "S-053", "S-298"})
  void aMessageGoesThroughQueuesAndATopicToWhereItIsReceived() {
    var message = new ServiceBusMessage("through");
    message.getApplicationProperties().put("colour", "red");
    sender("start").sendMessage(message);

    var end = next("end");
    assertThat(end.getBody()).hasToString("through");
    assertThat(end.getApplicationProperties()).containsEntry("colour", "red");
    assertThat(end.getDeadLetterSource()).isNull();
    assertThat(TestQueue.next(red(null)).getBody()).hasToString("through");
  }

  private ServiceBusReceiverClient red(@Nullable SubQueue subQueue) {
    var builder =
        Sdk.connection(broker.connectionString())
            .receiver()
            .topicName("events")
            .subscriptionName("red")
            .disableAutoComplete()
            .maxAutoLockRenewDuration(Duration.ZERO);
    return closing((subQueue == null ? builder : builder.subQueue(subQueue)).buildClient());
  }

  @Test
  @Rule("S-499")
  void whatTracesAMessageTravelsWithItUnchanged() {
    var trace =
        Map.<String, Object>of(
            "colour", "red",
            "Diagnostic-Id", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "tracestate", "congo=t61rcWkgMzE");
    var message = new ServiceBusMessage("traced");
    message.getApplicationProperties().putAll(trace);
    sender("start").sendMessage(message);

    assertThat(next("end").getApplicationProperties()).containsExactlyInAnyOrderEntriesOf(trace);
    var red = red(null);
    var copy = TestQueue.next(red);
    assertThat(copy.getApplicationProperties()).containsExactlyInAnyOrderEntriesOf(trace);
    red.deadLetter(copy);
    assertThat(TestQueue.next(red(SubQueue.DEAD_LETTER_QUEUE)).getApplicationProperties())
        .containsAllEntriesOf(trace);
  }

  @Test
  @Rule({"S-197", "S-198", "S-188"})
  void aDeadLetterArrivesElsewhereAndSaysWhereItDied() {
    sender("orders").sendMessage(new ServiceBusMessage("rotten"));
    var orders = receiver("orders", ServiceBusReceiveMode.PEEK_LOCK);
    orders.deadLetter(
        TestQueue.next(orders),
        new DeadLetterOptions()
            .setDeadLetterReason("Smell")
            .setDeadLetterErrorDescription("of fish"));

    var dead = next("failed");

    assertThat(dead.getBody()).hasToString("rotten");
    assertThat(dead.getDeadLetterSource()).isEqualTo("orders");
    assertThat(dead.getDeadLetterReason()).isEqualTo("Smell");
    assertThat(dead.getDeadLetterErrorDescription()).isEqualTo("of fish");
    assertThat(dead.getDeliveryCount()).isZero();
  }

  @Test
  @Rule({"S-289", "S-199"})
  void nobodyReceivesWhereMessagesAreForwarded() {
    var start = receiver("start", ServiceBusReceiveMode.PEEK_LOCK);
    assertThatThrownBy(() -> start.receiveMessages(1, Duration.ofSeconds(5)).stream().toList())
        .hasStackTraceContaining("forwarded to 'middle'");
    var dead =
        closing(
            Sdk.connection(broker.connectionString())
                .receiver()
                .queueName("orders")
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildClient());
    assertThatThrownBy(() -> dead.receiveMessages(1, Duration.ofSeconds(5)).stream().toList())
        .hasStackTraceContaining("forwarded to 'failed'");
  }

  @Test
  @Rule({"S-290", "I-36"})
  void aKillLosesNoneAndDoublesNone() throws Exception {
    var wanted = IntStream.range(0, 2_000).mapToObj(Integer::toString).toList();
    var sender = sender("start");
    for (var from = 0; from < wanted.size(); from += 100) {
      sender.sendMessages(
          wanted.subList(from, from + 100).stream().map(ServiceBusMessage::new).toList());
    }
    broker.kill();
    closeClients();
    broker.restart();

    var end = receiver("end", ServiceBusReceiveMode.RECEIVE_AND_DELETE);
    var got = TestQueue.next(end, wanted.size());

    assertThat(bodies(got)).containsExactlyElementsOf(wanted);
    assertThat(end.peekMessages(10)).isEmpty();
  }
}

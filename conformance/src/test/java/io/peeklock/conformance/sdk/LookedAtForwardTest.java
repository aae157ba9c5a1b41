package io.peeklock.conformance.sdk;

import static io.peeklock.conformance.TestQueue.bodies;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forwarding to where each message must be looked at, in memory and on disk. */
@LongProof
class LookedAtForwardTest {
  private static final String CONFIG =
      """
      queues:
        to-sessions:
          ForwardTo: sessions
        to-unique:
          ForwardTo: unique
        to-events:
          ForwardTo: events
        sessions:
          RequiresSession: true
        unique:
          RequiresDuplicateDetection: true
      topics:
        events:
          subscriptions:
            red:
              rules:
                red:
                  filter: colour = 'red'
      """;

  private static BrokerProcess start(boolean inMemory) throws IOException {
    var folder = Folders.fresh("looked-at");
    Files.createDirectories(folder);
    var config = folder.resolve("forwards.yaml");
    Files.writeString(config, CONFIG);
    var options =
        inMemory
            ? List.of("--config", config.toString(), "--in-memory")
            : List.of("--config", config.toString());
    return BrokerProcess.start(folder.resolve("data"), options);
  }

  private static void send(BrokerProcess broker, String queue, ServiceBusMessage... messages) {
    try (var sender =
        Sdk.connection(broker.connectionString()).sender().queueName(queue).buildClient()) {
      sender.sendMessages(List.of(messages));
    }
  }

  private static ServiceBusMessage message(String text) {
    var message = new ServiceBusMessage(text).setMessageId(text).setSessionId("s");
    message.getApplicationProperties().put("colour", "red");
    return message;
  }

  private static List<String> inSession(BrokerProcess broker, int count) {
    try (var sessions =
            Sdk.connection(broker.connectionString())
                .sessionReceiver()
                .queueName("sessions")
                .buildClient();
        var session = sessions.acceptSession("s")) {
      return bodies(TestQueue.next(session, count));
    }
  }

  @ParameterizedTest(name = "in memory: {0}")
  @ValueSource(booleans = {true, false})
  @Rule({"S-285", "S-298"})
  void whatIsSentArrivesWhereverItMustBeLookedAt(boolean inMemory) throws IOException {
    try (var broker = start(inMemory)) {
      send(broker, "to-sessions", message("one"), message("two"));
      send(broker, "to-unique", message("three"), message("three"));
      send(broker, "to-events", message("four"));

      assertThat(inSession(broker, 2)).containsExactly("one", "two");
      try (var unique =
          Sdk.connection(broker.connectionString()).receiver().queueName("unique").buildClient()) {
        assertThat(bodies(TestQueue.next(unique, 1))).containsExactly("three");
        assertThat(unique.peekMessages(10)).hasSize(1);
      }
      try (var red =
          Sdk.connection(broker.connectionString())
              .receiver()
              .topicName("events")
              .subscriptionName("red")
              .buildClient()) {
        assertThat(TestQueue.next(red).getBody()).hasToString("four");
      }
    }
  }

  @Test
  @Rule({"S-285", "S-151", "I-36"})
  void whatBecomesDueOutOfOrderAfterAStartArrives() throws IOException {
    try (var broker = start(false)) {
      try (var sender =
          Sdk.connection(broker.connectionString())
              .sender()
              .queueName("to-sessions")
              .buildClient()) {
        sender.scheduleMessage(
            message("second"), OffsetDateTime.now(ZoneOffset.UTC).plusSeconds(6));
        sender.scheduleMessage(message("first"), OffsetDateTime.now(ZoneOffset.UTC).plusSeconds(5));
      }
      broker.stop();
      broker.restart();

      assertThat(inSession(broker, 2)).containsExactlyInAnyOrder("first", "second");
    }
  }
}

package io.peeklock.conformance.sdk;

import static io.peeklock.conformance.sdk.Refused.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client lives through when its broker stops or is killed. */
class RestartTest {
  private final BrokerProcess broker =
      BrokerProcess.withQueues(Folders.fresh("restart"), "orders", "brief,LockDuration=PT5S");

  @AfterEach
  void away() {
    broker.close();
  }

  @Test
  @Rule({"S-001", "S-116", "S-042", "S-037", "I-01", "I-05", "I-06", "I-12", "I-17", "I-20"})
  void aKillEndsLocksAndNothingElse() {
    List<ServiceBusReceivedMessage> held;
    try (var sender = connection().sender().queueName("orders").buildClient();
        var receiver = connection().receiver().queueName("orders").buildClient()) {
      for (var name :
          List.of("completed", "abandoned", "deferred", "dead-lettered", "locked", "new")) {
        sender.sendMessage(new ServiceBusMessage(name));
      }
      held = TestQueue.next(receiver, 5);
      receiver.complete(held.get(0));
      receiver.abandon(held.get(1));
      receiver.defer(held.get(2));
      receiver.deadLetter(held.get(3));
    }

    broker.kill();
    broker.restart();

    try (var sender = connection().sender().queueName("orders").buildClient();
        var receiver = connection().receiver().queueName("orders").buildClient()) {
      assertThatThrownBy(() -> receiver.complete(held.get(4)))
          .satisfies(refusedAs(ServiceBusFailureReason.MESSAGE_LOCK_LOST));
      sender.sendMessage(new ServiceBusMessage("later"));
      var active = TestQueue.next(receiver, 4);
      assertThat(TestQueue.bodies(active)).containsExactly("abandoned", "locked", "new", "later");
      assertThat(active.stream().map(message -> message.getDeliveryCount()))
          .containsExactly(1L, 0L, 0L, 0L);
      assertThat(active.stream().map(message -> message.getSequenceNumber()))
          .containsExactly(2L, 5L, 6L, 7L);
      var deferred = receiver.receiveDeferredMessage(3);
      assertThat(deferred.getBody().toString()).isEqualTo("deferred");
      assertThat(deferred.getDeliveryCount()).isEqualTo(1);
    }
  }

  @Test
  @Rule({"S-001", "S-042", "I-01", "I-45"})
  void aProcessorAndASenderGoOnAfterAKill() {
    Set<String> handled = ConcurrentHashMap.newKeySet();
    var accepted = new ArrayList<String>();
    try (var processor =
            connection()
                .processor()
                .queueName("brief")
                .maxConcurrentCalls(4)
                .processMessage(context -> handled.add(context.getMessage().getBody().toString()))
                .processError(context -> {})
                .buildProcessorClient();
        var sender = connection().sender().queueName("brief").buildClient()) {
      processor.start();
      for (var i = 0; i < 50; i++) {
        send(sender::sendMessage, accepted, "before-" + i);
      }
      Patience.until("the processor is at work", () -> !handled.isEmpty());

      broker.kill();
      broker.restart();
      for (var i = 0; i < 50; i++) {
        send(sender::sendMessage, accepted, "after-" + i);
      }

      Patience.until(
          "all are handled", Duration.ofSeconds(60), () -> handled.containsAll(accepted));
    }

    assertThat(accepted).hasSize(100);
  }

  private static void send(
      java.util.function.Consumer<ServiceBusMessage> sender, List<String> accepted, String body) {
    sender.accept(new ServiceBusMessage(body));
    accepted.add(body);
  }

  private ServiceBusClientBuilder connection() {
    return Sdk.connection(broker.connectionString())
        .retryOptions(
            new AmqpRetryOptions()
                .setMode(AmqpRetryMode.FIXED)
                .setDelay(Duration.ofMillis(500))
                .setMaxRetries(20)
                .setTryTimeout(Duration.ofSeconds(10)));
  }
}

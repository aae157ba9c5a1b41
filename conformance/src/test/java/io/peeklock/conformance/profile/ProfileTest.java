package io.peeklock.conformance.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The limits of profiles, as the official Java client meets them. */
@LongProof
class ProfileTest {

  private static ServiceBusClientBuilder client(BrokerProcess broker, int retries) {
    return new ServiceBusClientBuilder()
        .connectionString(broker.connectionString())
        .retryOptions(
            new AmqpRetryOptions()
                .setMode(AmqpRetryMode.FIXED)
                .setMaxRetries(retries)
                .setDelay(Duration.ofMillis(200))
                .setTryTimeout(Duration.ofSeconds(20)));
  }

  private static ServiceBusSenderClient sender(BrokerProcess broker, int retries) {
    return client(broker, retries).sender().queueName("orders").buildClient();
  }

  /** What the broker said: a client that may not try again wraps it into another error. */
  private static AmqpException told(Throwable thrown) {
    var cause = thrown;
    while (cause != null && !(cause instanceof AmqpException)) {
      cause = cause.getCause();
    }
    assertThat(cause).as("the broker's word in %s", thrown).isNotNull();
    return (AmqpException) Objects.requireNonNull(cause);
  }

  private static ServiceBusException refusedWith(ServiceBusSenderClient sender) {
    try {
      while (true) {
        sender.sendMessage(new ServiceBusMessage("one too many"));
      }
    } catch (ServiceBusException refused) {
      return refused;
    }
  }

  @Test
  @Rule({"S-445", "S-447", "S-449", "S-451", "S-507"})
  void aThrottledSenderBacksOffAndSucceedsAndNothingIsLostOrDoubled() {
    var options = List.of("--profile=standard", "--credits-per-second=3", "--queue=orders");
    try (var broker = BrokerProcess.start(Folders.fresh("throttled"), options);
        var hasty = sender(broker, 0);
        var patient = sender(broker, 20);
        var receiver = client(broker, 20).receiver().queueName("orders").buildClient()) {
      var refused = told(refusedWith(hasty));
      assertThat(refused.getErrorCondition()).isEqualTo(AmqpErrorCondition.SERVER_BUSY_ERROR);
      assertThat(refused).hasMessageContaining("50009");
      assertThat(refused.isTransient()).isTrue();

      for (var i = 0; i < 8; i++) {
        patient.sendMessage(new ServiceBusMessage("patient-" + i));
      }

      var seen = new java.util.ArrayList<String>();
      while (!seen.contains("patient-7")) {
        var message = TestQueue.next(receiver);
        seen.add(message.getBody().toString());
        receiver.complete(message);
      }
      assertThat(seen.stream().filter(body -> body.startsWith("patient-")))
          .containsExactly(
              "patient-0",
              "patient-1",
              "patient-2",
              "patient-3",
              "patient-4",
              "patient-5",
              "patient-6",
              "patient-7");
    }
  }

  @Test
  @Rule({"S-438", "S-510"})
  void oneConnectionTooManyIsClosedAndTheOthersGoOn() {
    var options = List.of("--profile=emulator", "--connection-limit=1", "--queue=orders");
    try (var broker = BrokerProcess.start(Folders.fresh("connections"), options)) {
      try (var first = sender(broker, 0);
          var second = sender(broker, 0)) {
        first.sendMessage(new ServiceBusMessage("welcome"));

        // The client keeps to itself why its connection was closed, and would go on trying.
        assertThatThrownBy(() -> second.sendMessage(new ServiceBusMessage("full")))
            .isInstanceOf(RuntimeException.class);

        assertThat(broker.output().text()).contains("ConnectionsQuotaExceeded");
        first.sendMessage(new ServiceBusMessage("still there"));
      }
      try (var third = sender(broker, 20)) {
        third.sendMessage(new ServiceBusMessage("there is room"));
      }
    }
  }

  @Test
  @Rule({"S-069", "S-437"})
  void basicRefusesATopicAndTransactionsAtOnce() {
    var refused =
        BrokerProcess.refused(
            Folders.fresh("basic-topic"), 0, List.of("--profile=basic", "--topic=events"));
    assertThat(refused.output().text()).contains("topic events cannot be made").contains("topics");
    var options = List.of("--profile=basic", "--queue=orders");
    try (var broker = BrokerProcess.start(Folders.fresh("basic"), options);
        var sender = sender(broker, 0)) {
      sender.sendMessage(new ServiceBusMessage("plain"));

      assertThatThrownBy(sender::createTransaction).hasMessageContaining("not available");
    }
  }
}

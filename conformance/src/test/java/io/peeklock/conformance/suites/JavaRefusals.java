package io.peeklock.conformance.suites;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What the client for Java makes of each refusal, for the table of all clients. */
final class JavaRefusals {
  private static final Duration TRY_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration SHORT_TRY = Duration.ofSeconds(2);
  private static final int TOO_LARGE = 300 << 10;
  private static final long NO_SUCH_NUMBER = 4_711;

  private final BrokerProcess broker;
  private final List<SuiteReport.Refusal> refusals = new ArrayList<>();

  private JavaRefusals(BrokerProcess broker) {
    this.broker = broker;
  }

  /** Provokes them all, on a broker of their own. */
  static List<SuiteReport.Refusal> provoke() {
    var queues =
        BrokerProcess.queueOptions(
            List.of("plain", "locked,LockDuration=PT2S", "small,MaxMessageSizeInKilobytes=256"));
    try (var broker = BrokerProcess.start(Folders.fresh("java"), queues)) {
      var java = new JavaRefusals(broker);
      java.wrongKeys();
      java.messages();
      java.locks();
      java.gone();
      return java.refusals;
    }
  }

  private void wrongKeys() {
    var known = broker.connectionString();
    send("unknown-entity-send", known, "no-such-queue", new ServiceBusMessage("x"));
    try (var nowhere =
        client(known, TRY_TIMEOUT).receiver().queueName("no-such-queue").buildClient()) {
      refused("unknown-entity-receive", () -> nowhere.receiveMessages(1).forEach(message -> {}));
    }
    send("wrong-key", broker.connectionString("not-the-key"), "plain", new ServiceBusMessage("x"));
    var unknown = known.replace(BrokerProcess.KEY_NAME, "nobody");
    send("unknown-policy", unknown, "plain", new ServiceBusMessage("x"));
    var stale =
        Tokens.connection(broker, OffsetDateTime.now(ZoneOffset.UTC).minusHours(1).toInstant());
    send("expired-token", stale, "plain", new ServiceBusMessage("x"));
    send("send-to-dead-letter-queue", known, "plain/$deadletterqueue", new ServiceBusMessage("x"));
  }

  private void messages() {
    var known = broker.connectionString();
    var large = new ServiceBusMessage(BinaryData.fromBytes(new byte[TOO_LARGE]));
    send("message-too-large", known, "small", large);
    try (var sender = client(known, TRY_TIMEOUT).sender().queueName("small").buildClient()) {
      refused(
          "batch-too-large",
          () -> {
            var half = new ServiceBusMessage(BinaryData.fromBytes(new byte[TOO_LARGE / 2]));
            sender.sendMessages(List.of(half, half, half));
          });
      refused(
          "message-id-too-long",
          () -> sender.sendMessage(new ServiceBusMessage("x").setMessageId("i".repeat(129))));
    }
    try (var receiver = receiver()) {
      refused("receive-deferred-unknown", () -> receiver.receiveDeferredMessage(NO_SUCH_NUMBER));
    }
  }

  private void locks() {
    lockLost("complete-lock-lost", ServiceBusReceiverClient::complete);
    lockLost("abandon-lock-lost", ServiceBusReceiverClient::abandon);
    lockLost("defer-lock-lost", ServiceBusReceiverClient::defer);
    lockLost("renew-lock-lost", ServiceBusReceiverClient::renewMessageLock);
    deadLetterWithALostLock();
  }

  /** This client takes every rejection that answers its own for success (amqp.md 5.3). */
  private void deadLetterWithALostLock() {
    var name = "dead-letter-lock-lost";
    overtaken(name, ServiceBusReceiverClient::deadLetter);
    refusals.add(new SuiteReport.Refusal(name, "", "", null));
  }

  /** Holds a message until another receiver has taken it over, and settles then. */
  private void lockLost(
      String name, BiConsumer<ServiceBusReceiverClient, ServiceBusReceivedMessage> settle) {
    overtaken(name, (slow, message) -> refused(name, () -> settle.accept(slow, message)));
  }

  private void overtaken(
      String name, BiConsumer<ServiceBusReceiverClient, ServiceBusReceivedMessage> settle) {
    var known = broker.connectionString();
    try (var sender = client(known, TRY_TIMEOUT).sender().queueName("locked").buildClient();
        var slow = receiver();
        var other = receiver()) {
      sender.sendMessage(new ServiceBusMessage(name));
      var message = next(slow);
      other.complete(next(other));
      settle.accept(slow, message);
    }
  }

  private void gone() {
    var sender = client(broker.connectionString(), SHORT_TRY).sender().queueName("plain");
    try (var client = sender.buildClient()) {
      client.sendMessage(new ServiceBusMessage("while it is there"));
      broker.stop();
      Patience.until("it is gone", () -> !broker.alive());
      refused("broker-gone", () -> sendUntilNoticed(client));
    }
  }

  /** While the client takes its connection down, a call may meet a link that is being closed. */
  private static void sendUntilNoticed(ServiceBusSenderClient client) {
    Patience.until(
        "the client has noticed",
        () -> {
          try {
            client.sendMessage(new ServiceBusMessage("too late"));
            throw new AssertionError("a broker that is gone took a message");
          } catch (IllegalStateException early) {
            return false;
          }
        });
  }

  private ServiceBusReceiverClient receiver() {
    return client(broker.connectionString(), TRY_TIMEOUT)
        .receiver()
        .queueName("locked")
        .disableAutoComplete()
        .maxAutoLockRenewDuration(Duration.ZERO)
        .buildClient();
  }

  private static ServiceBusReceivedMessage next(ServiceBusReceiverClient receiver) {
    return receiver.receiveMessages(1, TRY_TIMEOUT).stream().findFirst().orElseThrow();
  }

  private void send(String name, String connection, String queue, ServiceBusMessage message) {
    try (var sender = client(connection, TRY_TIMEOUT).sender().queueName(queue).buildClient()) {
      refused(name, () -> sender.sendMessage(message));
    }
  }

  private static ServiceBusClientBuilder client(String connection, Duration tryTimeout) {
    return new ServiceBusClientBuilder()
        .connectionString(connection)
        .retryOptions(new AmqpRetryOptions().setMaxRetries(0).setTryTimeout(tryTimeout));
  }

  private void refused(String name, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException raised) {
      refusals.add(refusal(name, raised));
      return;
    }
    throw new AssertionError(name + " was not refused");
  }

  private static SuiteReport.Refusal refusal(String name, RuntimeException raised) {
    var type = raised.getClass().getSimpleName();
    if (raised instanceof ServiceBusException known) {
      return new SuiteReport.Refusal(name, type, known.getReason().toString(), known.isTransient());
    }
    var cause = amqpCause(raised);
    return cause == null
        ? new SuiteReport.Refusal(name, type, "", null)
        : new SuiteReport.Refusal(
            name, type, String.valueOf(cause.getErrorCondition()), cause.isTransient());
  }

  private static @Nullable AmqpException amqpCause(Throwable raised) {
    for (var at = raised; at != null; at = at.getCause()) {
      if (at instanceof AmqpException found) {
        return found;
      }
    }
    return null;
  }
}

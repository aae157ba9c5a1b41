package io.peeklock.conformance.sdk;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
@LongProof
class SessionTest {

  private static ServiceBusSessionReceiverClient sessions(Sdk sdk, TestQueue queue) {
    return sdk.closing(
        sdk.connection()
            .sessionReceiver()
            .queueName(queue.name())
            .maxAutoLockRenewDuration(Duration.ZERO)
            .disableAutoComplete()
            .buildClient());
  }

  private static void send(TestQueue queue, String sessionId, String... bodies) {
    for (var body : bodies) {
      queue.sender().sendMessage(new ServiceBusMessage(body).setSessionId(sessionId));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  @Rule({"S-231", "S-236", "S-243", "S-246", "S-261", "I-24", "I-26"})
  void aSessionIsAcceptedByItsIdAndBringsItsMessagesInOrder(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SESSIONS);
    send(orders, "red", "r1");
    send(orders, "blue", "b1");
    send(orders, "red", "r2", "r3");

    var red = sdk.closing(sessions(sdk, orders).acceptSession("red"));
    var messages = TestQueue.next(red, 3);

    assertThat(red.getSessionId()).isEqualTo("red");
    assertThat(TestQueue.bodies(messages)).containsExactly("r1", "r2", "r3");
    assertThat(messages).allSatisfy(message -> assertThat(message.getSessionId()).isEqualTo("red"));
    messages.forEach(red::complete);
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("b1");
  }

  @Test
  @Rule({"S-238", "S-242", "S-248"})
  void theNextSessionIsTheOldestAndAClosedOneIsFreeAtOnce(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SESSIONS);
    send(orders, "first", "a");
    send(orders, "second", "b");
    var client = sessions(sdk, orders);

    var first = client.acceptNextSession();
    var second = client.acceptNextSession();
    assertThat(first.getSessionId()).isEqualTo("first");
    assertThat(second.getSessionId()).isEqualTo("second");
    TestQueue.next(first);
    first.close();
    var again = client.acceptNextSession();

    assertThat(again.getSessionId()).isEqualTo("first");
    var message = TestQueue.next(again);
    assertThat(message.getDeliveryCount()).isZero();
    again.complete(message);
    again.close();
    second.close();
  }

  @Test
  @Rule({"S-237", "I-23"})
  void aHeldSessionIsRefusedToOthers(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SESSIONS);
    var held = sessions(sdk, orders).acceptSession("one");

    assertThatThrownBy(() -> sessions(sdk, orders).acceptSession("one"))
        .isInstanceOf(AmqpException.class)
        .hasMessageContaining("cannot be accepted");
    held.close();
    sdk.closing(sessions(sdk, orders).acceptSession("one"));
  }

  @Test
  @Rule({"S-253", "S-254", "S-255", "S-256", "I-25"})
  void aStateIsKeptUntilItIsCleared(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SESSIONS);
    var first = sessions(sdk, orders).acceptSession("cart");
    assertThat(first.getSessionState()).isNull();
    first.setSessionState(bytes("three apples"));
    assertThat(first.getSessionState()).isEqualTo(bytes("three apples"));
    first.setSessionState(new byte[0]);
    assertThat(first.getSessionState()).isNull();
    first.setSessionState(bytes("one pear"));
    first.close();

    var second = sdk.closing(sessions(sdk, orders).acceptSession("cart"));
    assertThat(second.getSessionState()).isEqualTo(bytes("one pear"));
    second.setSessionState(null);
    assertThat(second.getSessionState()).isNull();
  }

  @Test
  @Rule({"S-244", "S-245", "S-128", "S-250", "S-251"})
  void aSessionIsHeldAsLongAsItIsRenewedAndThenLost(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_SESSIONS);
    send(orders, "s", "a", "b");
    var receiver = sdk.closing(sessions(sdk, orders).acceptSession("s"));
    var messages = TestQueue.next(receiver, 2);
    var began = OffsetDateTime.now(UTC);

    Patience.until(
        "the first lock time is over",
        () -> {
          assertThat(receiver.renewSessionLock()).isAfter(OffsetDateTime.now(UTC));
          return OffsetDateTime.now(UTC).isAfter(began.plusSeconds(12));
        });
    receiver.complete(messages.get(0));
    Patience.until(
        "the session is lost and another gets its message",
        Duration.ofSeconds(60),
        () -> isCountedOnce(sdk, orders));

    assertThatThrownBy(() -> receiver.complete(messages.get(1)))
        .isInstanceOf(ServiceBusException.class);
  }

  private static boolean isCountedOnce(Sdk sdk, TestQueue orders) {
    ServiceBusReceiverClient next;
    try {
      next = sessions(sdk, orders).acceptSession("s");
    } catch (AmqpException stillHeld) {
      return false;
    }
    var message = TestQueue.next(next);
    assertThat(message.getBody().toString()).isEqualTo("b");
    assertThat(message.getDeliveryCount()).isEqualTo(1);
    next.complete(message);
    next.close();
    return true;
  }

  @Test
  @Rule({"S-232", "S-233", "S-234"})
  void sessionsAndQueuesWithoutThemDoNotMix(Sdk sdk) {
    var withSessions = sdk.queue(QueueKind.SESSIONS);
    var plain = sdk.queue(QueueKind.PLAIN);

    assertThatThrownBy(() -> withSessions.send("no session")).isInstanceOf(Exception.class);
    assertThatThrownBy(() -> withSessions.receiver().receiveMessages(1).stream().toList())
        .isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> sessions(sdk, plain).acceptSession("x"))
        .hasMessageContaining("does not require sessions");
    assertThat(withSessions.everything()).isEmpty();
  }

  @Test
  @Rule({"S-207", "S-213", "S-245"})
  void aDeferredMessageOfASessionComesByItsNumber(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SESSIONS);
    send(orders, "s", "a", "b");
    var receiver = sdk.closing(sessions(sdk, orders).acceptSession("s"));
    var first = TestQueue.next(receiver);
    receiver.defer(first);

    var deferred = receiver.receiveDeferredMessage(first.getSequenceNumber());
    receiver.complete(deferred);

    assertThat(deferred.getBody().toString()).isEqualTo("a");
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("b");
  }
}

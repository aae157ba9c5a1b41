package io.peeklock.conformance.sdk;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.time.OffsetDateTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
@LongProof
class DeadLetterTest {

  @Test
  @Rule({"S-034", "S-090", "S-188", "S-181", "S-145", "S-134", "T-38", "T-39"})
  void aDeadLetterTellsWhyItIsOne(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var sent = new ServiceBusMessage("order-1").setMessageId("id-1");
    sent.getApplicationProperties().put("kept", 1);
    orders.sender().sendMessage(sent);
    orders.receiver().abandon(orders.receive());
    var message = orders.receive();

    orders
        .receiver()
        .deadLetter(
            message,
            new DeadLetterOptions()
                .setDeadLetterReason("no stock")
                .setDeadLetterErrorDescription("the shelf is empty")
                .setPropertiesToModify(Map.<String, Object>of("shelf", 7)));
    var dead = orders.receiveDeadLetter();

    assertThat(orders.everything()).isEmpty();
    assertThat(dead.getBody().toString()).isEqualTo("order-1");
    assertThat(dead.getMessageId()).isEqualTo("id-1");
    assertThat(dead.getDeadLetterReason()).isEqualTo("no stock");
    assertThat(dead.getDeadLetterErrorDescription()).isEqualTo("the shelf is empty");
    assertThat(dead.getApplicationProperties()).containsEntry("kept", 1).containsEntry("shelf", 7);
    assertThat(dead.getSequenceNumber()).isEqualTo(message.getSequenceNumber());
    assertThat(dead.getEnqueuedTime()).isEqualTo(message.getEnqueuedTime());
    assertThat(dead.getDeliveryCount()).isEqualTo(1);
  }

  @Test
  @Rule({"S-189", "T-40"})
  void aDeadLetterWithoutReasonHasNone(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1");

    orders.receiver().deadLetter(orders.receive());

    var dead = orders.receiveDeadLetter();
    assertThat(dead.getDeadLetterReason()).isNull();
    assertThat(dead.getDeadLetterErrorDescription()).isNull();
  }

  @Test
  @Rule({"S-029", "S-126", "S-127", "S-192", "I-21"})
  void theThirdOfThreeAbandonsDeadLetters(Sdk sdk) {
    var orders = sdk.queue(QueueKind.THREE_DELIVERIES);
    orders.send("poison", "good");

    for (var failures = 0; failures < 3; failures++) {
      var message = orders.receive();
      assertThat(message.getBody().toString()).isEqualTo("poison");
      assertThat(message.getDeliveryCount()).isEqualTo(failures);
      orders.receiver().abandon(message);
    }

    assertThat(orders.receive().getBody().toString()).isEqualTo("good");
    var dead = orders.receiveDeadLetter();
    assertThat(dead.getBody().toString()).isEqualTo("poison");
    assertThat(dead.getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
    assertThat(dead.getDeadLetterErrorDescription()).isNotBlank();
    assertThat(dead.getDeliveryCount()).isEqualTo(3);
  }

  @Test
  @Rule({"S-029", "S-121", "S-126"})
  void lapsedLocksDeadLetterToo(Sdk sdk) {
    var orders = sdk.queue(QueueKind.TWO_SHORT_DELIVERIES);
    orders.send("poison");

    var first = orders.receive();
    var second = orders.receive();
    var dead = orders.receiveDeadLetter();

    assertThat(first.getDeliveryCount()).isZero();
    assertThat(second.getDeliveryCount()).isEqualTo(1);
    assertThat(dead.getDeliveryCount()).isEqualTo(2);
    assertThat(dead.getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-124", "S-126"})
  void deferringTheOnlyDeliveryDeadLetters(Sdk sdk) {
    var orders = sdk.queue(QueueKind.ONE_DELIVERY);
    orders.send("poison");

    orders.receiver().defer(orders.receive());

    assertThat(orders.receiveDeadLetter().getDeadLetterReason())
        .isEqualTo("MaxDeliveryCountExceeded");
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-184", "S-186"})
  void deadLettersAreCompletedDeferredAndAbandonedLikeOthers(Sdk sdk) {
    var orders = sdk.queue(QueueKind.THREE_DELIVERIES);
    orders.send("a", "b", "c");
    orders.receive(3).forEach(orders.receiver()::deadLetter);
    var dead = TestQueue.next(orders.deadLetterReceiver(), 3);

    orders.deadLetterReceiver().complete(dead.get(0));
    orders.deadLetterReceiver().defer(dead.get(1));
    orders.deadLetterReceiver().abandon(dead.get(2));
    for (var i = 0; i < 4; i++) {
      orders.deadLetterReceiver().abandon(orders.receiveDeadLetter());
    }

    var left = orders.deadLetters();
    assertThat(TestQueue.bodies(left)).containsExactly("b", "c");
    assertThat(left.get(0).getState()).isEqualTo(ServiceBusMessageState.DEFERRED);
    assertThat(left.get(1).getDeliveryCount()).as("no end counts here").isZero();
    var back = orders.deadLetterReceiver().receiveDeferredMessage(left.get(0).getSequenceNumber());
    orders.deadLetterReceiver().complete(back);
    assertThat(TestQueue.bodies(orders.deadLetters())).containsExactly("c");
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule("S-132")
  void aLockThatLapsesOnADeadLetterCountsNothing(Sdk sdk) {
    var orders = sdk.queue(QueueKind.TWO_SHORT_DELIVERIES);
    orders.send("a");
    orders.receiver().deadLetter(orders.receive());
    var dead = orders.receiveDeadLetter();

    Patience.until(
        "the lock is over",
        () -> OffsetDateTime.now(UTC).isAfter(dead.getLockedUntil().plusNanos(300_000_000)));
    var again = orders.receiveDeadLetter();

    assertThat(dead.getDeliveryCount()).isZero();
    assertThat(again.getDeliveryCount()).isZero();
  }

  @Test
  @Rule("S-147")
  void aDeadLetterThatIsSentAgainIsANewMessage(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1");
    orders
        .receiver()
        .deadLetter(orders.receive(), new DeadLetterOptions().setDeadLetterReason("once"));
    var dead = orders.receiveDeadLetter();

    orders.sender().sendMessage(new ServiceBusMessage(dead));
    orders.deadLetterReceiver().complete(dead);

    var fresh = orders.receive();
    assertThat(fresh.getSequenceNumber()).isEqualTo(2);
    assertThat(fresh.getDeliveryCount()).isZero();
    assertThat(fresh.getBody().toString()).isEqualTo("order-1");
  }
}

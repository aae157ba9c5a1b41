package io.peeklock.conformance.sdk;

import static io.peeklock.conformance.sdk.Refused.refusedAs;
import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
@LongProof
class LockTest {

  @Test
  @Rule("S-410")
  void aBatchReceiveBringsFromOneToAsManyAsWereAskedFor(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a", "b", "c");

    var two = orders.receiver().receiveMessages(2, Duration.ofSeconds(20)).stream().toList();
    var rest = orders.receiver().receiveMessages(50, Duration.ofSeconds(20)).stream().toList();

    assertThat(two).hasSizeBetween(1, 2);
    assertThat(rest).hasSizeBetween(1, 3 - two.size());
  }

  @Test
  @Rule({"S-024", "S-027", "S-051", "I-16"})
  void competingReceiversGetDifferentMessages(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    for (var i = 0; i < 40; i++) {
      orders.send("m" + i);
    }
    var other = orders.anotherReceiver();

    var all = new ArrayList<ServiceBusReceivedMessage>();
    for (var round = 0; round < 4; round++) {
      all.addAll(orders.receive(5));
      all.addAll(TestQueue.next(other, 5));
    }

    assertThat(all.stream().map(message -> message.getSequenceNumber()))
        .hasSize(40)
        .doesNotHaveDuplicates();
    assertThat(all.stream().map(message -> message.getLockToken())).doesNotHaveDuplicates();
  }

  @Test
  @Rule({"S-025", "S-046", "S-088", "S-097", "T-34"})
  void aLockLastsAsLongAsTheQueueSays(Sdk sdk) {
    var minute = sdk.queue(QueueKind.PLAIN);
    var six = sdk.queue(QueueKind.SHORT_LOCK);
    minute.send("a");
    six.send("b");

    var now = OffsetDateTime.now(UTC);
    var slow = minute.receive();
    var later = OffsetDateTime.now(UTC);
    var fast = six.receive();

    assertThat(slow.getLockedUntil()).isBetween(now.plusSeconds(58), later.plusSeconds(62));
    assertThat(fast.getLockedUntil()).isBetween(later, OffsetDateTime.now(UTC).plusSeconds(8));
    assertThat(slow.getLockToken()).isNotBlank();
  }

  @Test
  @Rule({"S-028", "S-033", "S-121", "S-137", "S-041", "S-145", "I-18", "T-33"})
  void aLapsedLockBringsTheMessageBackInFrontWithOneMoreFailure(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("first", "second");
    var first = orders.receive();

    Patience.until("the lock is over", () -> lapsed(first));
    var again = TestQueue.next(orders.anotherReceiver(), 2);

    assertThat(TestQueue.bodies(again)).containsExactly("first", "second");
    assertThat(again.get(0).getDeliveryCount()).isEqualTo(1);
    assertThat(again.get(1).getDeliveryCount()).isZero();
    assertThat(again.get(0).getSequenceNumber()).isEqualTo(first.getSequenceNumber());
    assertThat(again.get(0).getEnqueuedTime()).isEqualTo(first.getEnqueuedTime());
    assertThat(again.get(0).getMessageId()).isEqualTo(first.getMessageId());
    assertThat(again.get(0).getLockToken()).isNotEqualTo(first.getLockToken());
  }

  @Test
  @Rule({"S-037", "S-038", "S-044", "S-045", "S-098", "S-502", "I-17"})
  void completingAfterTheLockLapsedIsRefused(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var late = orders.receive();
    Patience.until("the lock is over", () -> lapsed(late));

    assertThatThrownBy(() -> orders.receiver().complete(late))
        .satisfies(refusedAs(ServiceBusFailureReason.MESSAGE_LOCK_LOST))
        .hasMessageContaining("TrackingId:");

    assertThat(orders.everything()).hasSize(1);
    assertThat(orders.receive().getDeliveryCount()).isEqualTo(1);
  }

  @Test
  @Rule({"S-106", "S-502", "S-515"})
  void renewingAfterTheLockLapsedIsRefused(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var late = orders.receive();
    Patience.until("the lock is over", () -> lapsed(late));

    assertThatThrownBy(() -> orders.receiver().renewMessageLock(late))
        .satisfies(refusedAs(ServiceBusFailureReason.MESSAGE_LOCK_LOST))
        .hasMessageContaining("TrackingId:");
  }

  @Test
  @Rule({"S-098", "S-117", "I-16", "I-17"})
  void aTokenThatWasOvertakenCannotTouchTheNewLock(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var old = orders.receive();
    var other = orders.anotherReceiver();
    Patience.until("the lock is over", () -> lapsed(old));
    var current = TestQueue.next(other);

    assertThatThrownBy(() -> orders.receiver().complete(old))
        .satisfies(refusedAs(ServiceBusFailureReason.MESSAGE_LOCK_LOST));
    other.complete(current);

    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-026", "S-105", "S-108", "S-125", "I-19", "T-47"})
  void aRenewedLockRunsAgainFromNow(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var message = orders.receive();
    var first = message.getLockedUntil();
    Patience.until(
        "half the lock is over", () -> OffsetDateTime.now(UTC).isAfter(first.minusSeconds(3)));

    var renewed = orders.receiver().renewMessageLock(message);
    Patience.until("the first lock would be over", () -> OffsetDateTime.now(UTC).isAfter(first));
    orders.receiver().complete(message);

    assertThat(renewed).isAfter(first).isBefore(OffsetDateTime.now(UTC).plusSeconds(7));
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-048", "S-049"})
  void aClientThatRenewsByItselfKeepsTheLockBeyondItsLength(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var message = orders.receive();
    var first = message.getLockedUntil();
    var failure = new AtomicReference<@Nullable Throwable>();

    orders.receiver().renewMessageLock(message, Duration.ofSeconds(60), failure::set);
    Patience.until(
        "two locks would be over", () -> OffsetDateTime.now(UTC).isAfter(first.plusSeconds(6)));
    orders.receiver().complete(message);

    assertThat(failure.get()).isNull();
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-109", "S-110", "S-112"})
  void anotherReceiverCanRenewAndSettleByToken(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("renewed", "completed", "abandoned", "deferred", "dead-lettered");
    var held = orders.receive(5);
    var other = orders.anotherReceiver();

    other.renewMessageLock(held.get(0));
    other.complete(held.get(1));
    other.abandon(held.get(2));
    other.defer(held.get(3));
    other.deadLetter(held.get(4));

    assertThat(TestQueue.bodies(orders.everything()))
        .containsExactly("renewed", "abandoned", "deferred");
    assertThat(TestQueue.bodies(orders.deadLetters())).containsExactly("dead-lettered");
    assertThatThrownBy(() -> other.renewMessageLock(held.get(3)))
        .satisfies(refusedAs(ServiceBusFailureReason.MESSAGE_LOCK_LOST));
  }

  @Test
  @Rule({"S-039", "S-110", "S-113", "S-095", "T-45"})
  void aLockOutlivesItsLinkAndIsSettledThroughManagement(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1");
    var first = orders.anotherReceiver();
    var message = TestQueue.next(first);

    first.close();

    assertThat(orders.everything()).hasSize(1);
    orders.receiver().complete(message);
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-043", "S-113", "S-095", "S-121"})
  void aMessageOfAClosedLinkComesBackWhenItsLockLapsed(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var first = orders.anotherReceiver();
    var message = TestQueue.next(first);

    first.close();
    var again = orders.receive();

    assertThat(OffsetDateTime.now(UTC)).isAfter(message.getLockedUntil().minusSeconds(1));
    assertThat(again.getSequenceNumber()).isEqualTo(message.getSequenceNumber());
    assertThat(again.getDeliveryCount()).isEqualTo(1);
  }

  private static boolean lapsed(ServiceBusReceivedMessage message) {
    return OffsetDateTime.now(UTC).isAfter(message.getLockedUntil().plusNanos(300_000_000));
  }
}

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
@LongProof
class TimeToLiveTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  // Long enough to be received in time on a busy machine.
  private static final Duration LIFE = Duration.ofSeconds(5);

  @Test
  @Rule({"S-162", "S-167", "S-168", "I-32"})
  void anExpiredMessageIsDroppedWhereNobodyWantsItDeadLettered(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.sendFor(LIFE, "short");
    orders.send("long");
    var sent = orders.everything().getFirst();

    Patience.until("it expired", () -> past(sent.getEnqueuedTime().plus(LIFE)));
    var next = orders.receive();

    assertThat(sent.getTimeToLive()).isEqualTo(LIFE);
    assertThat(sent.getExpiresAt()).isEqualTo(sent.getEnqueuedTime().plus(LIFE));
    assertThat(next.getBody().toString()).isEqualTo("long");
    assertThat(orders.deadLetters()).isEmpty();
  }

  @Test
  @Rule({"S-168", "S-172", "S-191"})
  void anExpiredMessageIsDeadLetteredWhereTheQueueSaysSo(Sdk sdk) {
    var orders = sdk.queue(QueueKind.DEAD_LETTERS_EXPIRED);
    orders.sendFor(SECOND, "short");

    var dead = orders.receiveDeadLetter();

    assertThat(dead.getBody().toString()).isEqualTo("short");
    assertThat(dead.getDeadLetterReason()).isEqualTo("TTLExpiredException");
    assertThat(OffsetDateTime.now(UTC)).isAfterOrEqualTo(dead.getEnqueuedTime().plus(SECOND));
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-164", "S-166"})
  void theSmallerOfMessageAndQueueHolds(Sdk sdk) {
    var brief = sdk.queue(QueueKind.SHORT_LIFE);
    var plain = sdk.queue(QueueKind.PLAIN);

    brief.sendFor(Duration.ofHours(1), "a");
    brief.send("b");
    plain.send("forever");

    assertThat(brief.everything())
        .allSatisfy(message -> assertThat(message.getTimeToLive()).isEqualTo(SECOND));
    assertThat(plain.everything().getFirst().getTimeToLive()).isEqualTo(Duration.ZERO);
    Patience.until("both expired", () -> brief.everything().isEmpty());
  }

  @Test
  @Rule({"S-169", "S-171"})
  void whoHoldsTheLockMayStillRenewAndCompleteAfterTheExpiry(Sdk sdk) {
    var orders = sdk.queue(QueueKind.DEAD_LETTERS_EXPIRED);
    orders.sendFor(LIFE, "short");
    var message = orders.receive();
    Patience.until("it expired", () -> past(message.getEnqueuedTime().plus(LIFE)));

    orders.receiver().renewMessageLock(message);
    orders.receiver().complete(message);

    assertThat(orders.everything()).isEmpty();
    assertThat(orders.deadLetters()).isEmpty();
  }

  @Test
  @Rule("S-170")
  void abandoningAfterTheExpiryDeadLetters(Sdk sdk) {
    var orders = sdk.queue(QueueKind.DEAD_LETTERS_EXPIRED);
    orders.sendFor(LIFE, "short");
    var message = orders.receive();
    Patience.until("it expired", () -> past(message.getEnqueuedTime().plus(LIFE)));

    orders.receiver().abandon(message);

    assertThat(orders.receiveDeadLetter().getDeadLetterReason()).isEqualTo("TTLExpiredException");
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-170", "S-121"})
  void aLockThatLapsesAfterTheExpiryDeadLetters(Sdk sdk) {
    var orders = sdk.queue(QueueKind.DEAD_LETTERS_EXPIRED_SHORT_LOCK);
    orders.sendFor(LIFE, "short");
    var message = orders.receive();

    var dead = orders.receiveDeadLetter();

    assertThat(dead.getDeadLetterReason()).isEqualTo("TTLExpiredException");
    assertThatThrownBy(() -> orders.receiver().complete(message))
        .satisfies(refusedAs(ServiceBusFailureReason.MESSAGE_LOCK_LOST));
  }

  @Test
  @Rule({"S-174", "S-175"})
  void anExpiredDeferredMessageStaysUntilSomebodyAsksForIt(Sdk sdk) {
    var orders = sdk.queue(QueueKind.DEAD_LETTERS_EXPIRED);
    orders.sendFor(LIFE, "short");
    var message = orders.receive();
    orders.receiver().defer(message);
    Patience.until("it expired", () -> past(message.getEnqueuedTime().plus(LIFE)));

    assertThat(TestQueue.bodies(orders.everything())).containsExactly("short");
    assertThatThrownBy(() -> orders.receiver().receiveDeferredMessage(message.getSequenceNumber()))
        .isInstanceOf(RuntimeException.class);

    assertThat(orders.receiveDeadLetter().getDeadLetterReason()).isEqualTo("TTLExpiredException");
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-176", "S-186"})
  void deadLettersDoNotExpire(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.sendFor(LIFE, "short");
    var message = orders.receive();
    orders.receiver().deadLetter(message);

    Patience.until("it would have expired", () -> past(message.getEnqueuedTime().plus(LIFE)));

    assertThat(orders.receiveDeadLetter())
        .extracting(ServiceBusReceivedMessage::getDeadLetterReason)
        .isNull();
  }

  private static boolean past(OffsetDateTime moment) {
    return OffsetDateTime.now(UTC).isAfter(moment.plusNanos(300_000_000));
  }
}

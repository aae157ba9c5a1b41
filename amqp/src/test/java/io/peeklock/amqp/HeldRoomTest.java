package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.HeldClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A receiver that lets nothing through, by its window or its credit, holds others up for 10 s. */
class HeldRoomTest {
  private static final int LIMIT = (int) (HeldClock.MOST_MILLIS / 1_000);
  private static final int LARGE = 3_000_000;
  private static final int PEEK_LOCK = 0;
  private static final int RECEIVE_AND_DELETE = 1;

  private final BrokerFixture broker = new BrokerFixture().queue("q5", 300_000, 10, 8 << 20);
  private final TestClient sender = broker.client().sender(0, 0, "q5");
  private final TestClient shut = broker.client();

  private long underWay() {
    return broker.underWay();
  }

  private void flow(long seenFrames, long window, long credit) {
    shut.perform(
        0,
        TestClient.FLOW,
        uint(seenFrames),
        uint(window),
        uint(0),
        uint(2048),
        uint(1),
        uint(0),
        uint(credit),
        null,
        false,
        false);
  }

  private void send(int count) {
    for (var i = 0; i < count; i++) {
      sender.message(0, TestMessage.text("x".repeat(60_000)));
    }
  }

  private TestClient innocent() {
    return broker.client().receiver(0, 1, "q5", PEEK_LOCK).credit(1, 9).forget();
  }

  /** By the second, as time passes. */
  private void seconds(int count) {
    for (var i = 0; i < count; i++) {
      broker.advance(Duration.ofSeconds(1));
    }
  }

  private void assertEnded() {
    var detach = shut.one(DETACH);
    assertThat(condition(detach.field(2))).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(String.valueOf(detach.field(2))).contains(LIMIT + " seconds");
    seconds(1);
    assertThat(underWay()).isZero();
  }

  @Test
  void whoseWindowIsShutHasItsTimeAndLeavesItsMessagesToOthers() {
    shut.receiver(0, 1, "q5", PEEK_LOCK);
    flow(0, 0, 9);
    send(3);
    var other = innocent();
    assertThat(underWay()).isGreaterThan(180_000);

    seconds(LIMIT - 1);
    assertThat(shut.take(DETACH)).isEmpty();
    assertThat(other.take(TRANSFER)).isEmpty();
    seconds(2);

    assertThat(other.take(TRANSFER)).hasSize(3);
    assertEnded();
  }

  @Test
  void whoTakesALargeMessageHalfHasItsTimeForTheRest() {
    sender.inFrames(0, TestMessage.text("y".repeat(LARGE)), 60_000);
    shut.receiver(0, 1, "q5", PEEK_LOCK);
    flow(0, 3, 9);
    assertThat(shut.take(TRANSFER)).hasSize(3);
    var other = innocent();

    seconds(LIMIT - 1);
    assertThat(shut.take(DETACH)).isEmpty();
    seconds(2);

    assertThat(other.take(TRANSFER)).hasSizeGreaterThan(40);
    assertEnded();
  }

  @Test
  void whoTakesItsCreditBackHasItsTime() {
    shut.receiver(0, 1, "q5", RECEIVE_AND_DELETE);
    flow(0, 0, 9);
    send(3);
    flow(0, 2048, 0);

    seconds(LIMIT - 1);
    assertThat(shut.take(DETACH)).isEmpty();
    assertThat(underWay()).isGreaterThan(180_000);
    seconds(2);

    assertEnded();
  }

  @Test
  void whoTakesAFrameInTimeStaysForAsLongAgain() {
    shut.receiver(0, 1, "q5", PEEK_LOCK);
    flow(0, 0, 9);
    send(3);
    seconds(LIMIT - 2);
    flow(0, 1, 9);
    assertThat(shut.take(TRANSFER)).hasSize(1);

    seconds(LIMIT - 2);
    assertThat(shut.take(DETACH)).isEmpty();
    flow(1, 2, 9);
    assertThat(shut.take(TRANSFER)).hasSize(2);
    seconds(3 * LIMIT);

    assertThat(shut.take(DETACH)).isEmpty();
    assertThat(underWay()).isZero();
  }

  @Test
  void anotherLinkOfItsSessionIsNotBlamedForALargeMessageThatGoesOn() {
    sender.inFrames(0, TestMessage.text("y".repeat(LARGE)), 60_000);
    broker.queue("q6", 300_000, 10, 1 << 20);
    shut.receiver(0, 1, "q5", PEEK_LOCK);
    flow(0, 1, 9);
    shut.receiver(0, 2, "q6", PEEK_LOCK);
    shut.perform(0, TestClient.FLOW, uint(1), uint(0), uint(0), uint(9), uint(2), uint(0), uint(9));
    sender.sender(0, 3, "q6").message(3, TestMessage.text("behind"));

    for (var seen = 1; seen < 6; seen++) {
      seconds(LIMIT * 2 / 3);
      flow(seen, 1, 9);
    }

    assertThat(shut.take(DETACH)).isEmpty();
    assertThat(shut.take(TRANSFER)).hasSize(6);
  }
}

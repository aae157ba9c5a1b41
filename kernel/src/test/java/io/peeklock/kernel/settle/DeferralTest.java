package io.peeklock.kernel.settle;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages set aside, and received by number. */
class DeferralTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(5));

  private static Outcome notFound(long number) {
    return new Outcome(new Refusal.MessageNotFound(number));
  }

  private void deferAll(QueueFixture of, int count) {
    of.send(count);
    of.settleAll(Settlement.DEFER, of.peekLock(count).toArray(Received[]::new));
  }

  @Test
  @Rule({"S-207", "S-123", "S-217"})
  void aDeferredMessageIsReceivedByNumberUnderAFreshLock() {
    queue.send(1);
    Received before = queue.peekLock();
    queue.defer(before);

    Received message = queue.receiveDeferred(1).getFirst();

    assertThat(message.lockId()).isNotEqualTo(before.lockId()).isNotZero();
    assertThat(message.lockedUntil()).isEqualTo(shard.nowMillis + 60_000);
    assertThat(message.deliveryCount()).isEqualTo(1);
    assertThat(message.state()).isEqualTo(MessageState.DEFERRED);
    assertThat(queue.complete(message)).isEqualTo(DONE);
    assertThat(queue.peek()).isEmpty();
  }

  @Test
  @Rule({"S-207", "I-07"})
  void byReceiveAndDeleteItIsConsumed() {
    deferAll(queue, 2);

    Decision decision = shard.ask(queue.deferred(ReceiveMode.RECEIVE_AND_DELETE, 2));

    var received = ShardFixture.only(decision, Effect.DeferredReceived.class);
    assertThat(received.messages().lockIds()).isNull();
    assertThat(received.index()).isEqualTo(shard.index);
    assertThat(numbers(queue.peek())).containsExactly(1L);
  }

  @Test
  @Rule({"S-210", "S-209"})
  void messagesComeInTheOrderAskedForAndNoneForNoNumbers() {
    deferAll(queue, 4);

    assertThat(numbers(queue.receiveDeferred(3, 1, 4))).containsExactly(3L, 1L, 4L);
    assertThat(queue.receiveDeferred()).isEmpty();
    Decision none = shard.ask(queue.deferred(ReceiveMode.RECEIVE_AND_DELETE));
    assertThat(none.facts()).isEmpty();
  }

  @Test
  @Rule({"S-208", "S-505"})
  void oneNumberThatIsNotThereFailsTheWholeCall() {
    deferAll(queue, 2);

    assertThat(queue.refusedDeferred(1, 77, 99)).isEqualTo(notFound(77));
    assertThat(queue.refusedDeferred(-5)).isEqualTo(notFound(-5));
    assertThat(queue.refusedDeferred(2, 1, 2)).as("named twice").isEqualTo(notFound(2));

    assertThat(numbers(queue.receiveDeferred(1, 2))).containsExactly(1L, 2L);
  }

  @Test
  @Rule("S-211")
  void anActiveMessageIsNotFoundByNumber() {
    queue.send(1);

    assertThat(queue.refusedDeferred(1)).isEqualTo(notFound(1));
  }

  @Test
  @Rule({"S-214", "S-505"})
  void aLockedOneIsNotFoundUntilItsLockEnds() {
    deferAll(queue, 1);
    Received message = queue.receiveDeferred(1).getFirst();

    assertThat(queue.refusedDeferred(1)).isEqualTo(notFound(1));
    queue.release(message);

    assertThat(queue.receiveDeferred(1)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"ABANDON", "DEFER", "RELEASE"})
  @Rule("S-212")
  void letGoOrDeferredAgainItIsDeferredAndNotActive(Settlement settlement) {
    deferAll(queue, 1);
    Received message = queue.receiveDeferred(1).getFirst();

    assertThat(queue.settle(settlement, message)).isEqualTo(DONE);

    assertThat(queue.peekLock(1)).isEmpty();
    assertThat(queue.receiveDeferred(1).getFirst().deliveryCount())
        .isEqualTo(settlement == Settlement.RELEASE ? 1 : 2);
  }

  @Test
  @Rule("S-212")
  void whenItsLockRunsOutItIsDeferredAgainWithACount() {
    deferAll(queue, 1);
    queue.receiveDeferred(1);

    shard.advance(ofMinutes(1));

    assertThat(queue.peekLock(1)).isEmpty();
    assertThat(queue.receiveDeferred(1).getFirst().deliveryCount()).isEqualTo(2);
  }

  @Test
  @Rule({"S-213", "S-126"})
  void itCanBeDeadLetteredAndItsLastAttemptDoesSoToo() {
    deferAll(queue, 2);
    queue.deadLetter(queue.receiveDeferred(1).getFirst());
    for (int i = 0; i < 4; i++) {
      queue.abandon(queue.receiveDeferred(2).getFirst());
    }

    assertThat(queue.deadLetters().peek())
        .extracting(Received::cause, Received::state, Received::deliveryCount)
        .containsExactly(
            tuple(DeadLetterCause.RECEIVER, MessageState.ACTIVE, 1),
            tuple(DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED, MessageState.ACTIVE, 5));
    assertThat(queue.counts().deferred()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Rule("S-175")
  void anExpiredOneIsNotFoundAndExpiresWhenItIsTouched(boolean deadLettering) {
    QueueFixture expiring =
        QueueFixture.of(
            shard,
            new QueueDefinition(
                "expiring", 60_000, 5, 10_000, deadLettering, 1_000, Long.MAX_VALUE));
    deferAll(expiring, 2);
    shard.advance(ofSeconds(5));
    deferAll(expiring, 1);
    shard.advance(ofSeconds(5));

    assertThat(expiring.refusedDeferred(3, 2)).isEqualTo(notFound(2));

    assertThat(numbers(expiring.peek())).containsExactly(1L, 3L);
    assertThat(expiring.deadLetters().peek())
        .extracting(Received::cause)
        .isEqualTo(deadLettering ? List.of(DeadLetterCause.TTL_EXPIRED) : List.of());
    assertThat(expiring.receiveDeferred(3)).as("nothing was locked").hasSize(1);
  }

  @Test
  @Rule("S-170")
  void oneThatExpiresUnderItsLockExpiresWhenItIsLetGo() {
    QueueFixture expiring =
        QueueFixture.of(
            shard, new QueueDefinition("expiring", 60_000, 5, 10_000, true, 1_000, Long.MAX_VALUE));
    deferAll(expiring, 1);
    Received message = expiring.receiveDeferred(1).getFirst();
    shard.advance(ofSeconds(10));

    expiring.abandon(message);

    assertThat(expiring.peek()).isEmpty();
    assertThat(expiring.counts().deadLetters()).isEqualTo(1);
  }

  @Test
  @Rule("S-116")
  void deferredMessagesOutliveARestart() {
    deferAll(queue, 1);

    shard.restart();

    assertThat(queue.peekLock(1)).isEmpty();
    assertThat(queue.receiveDeferred(1).getFirst().deliveryCount()).isEqualTo(1);
  }

  @Test
  @Rule("S-062")
  void aQueueThatIsNotThereIsNotFound() {
    Decision decision =
        shard.ask(
            new Request.ReceiveDeferred(
                new Asker(),
                new Note(),
                new QueueId(9),
                new long[0],
                ReceiveMode.PEEK_LOCK,
                null,
                Long.MAX_VALUE));

    assertThat(QueueFixture.whole(decision)).isEqualTo(new Outcome(new Refusal.EntityNotFound()));
  }

  @Test
  @Rule("S-210")
  void manyAreReceivedAtOnce() {
    deferAll(queue, 700);
    queue.send(1);
    long[] numbers = LongStream.rangeClosed(1, 700).toArray();

    assertThat(queue.receiveDeferred(numbers))
        .hasSize(700)
        .extracting(Received::state)
        .containsOnly(MessageState.DEFERRED);
  }
}

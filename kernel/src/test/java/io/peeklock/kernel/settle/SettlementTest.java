package io.peeklock.kernel.settle;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.Outcome.LOST;
import static io.peeklock.kernel.machine.QueueFixture.ids;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the holder of a lock may do with its message. */
class SettlementTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());

  @Test
  @Rule({"S-003", "S-030", "S-031", "I-05"})
  void aCompletedMessageNeverComesAgainNotEvenAfterARestart() {
    queue.send(1);

    assertThat(queue.complete(queue.peekLock())).isEqualTo(DONE);

    assertThat(queue.peek()).isEmpty();
    shard.restart();
    assertThat(queue.peekLock(5)).isEmpty();
    assertThat(queue.deadLetters().peek()).isEmpty();
  }

  @Test
  @Rule({"S-003", "S-028", "S-032", "S-120", "S-137", "S-041"})
  void anAbandonedMessageIsFreeAtOnceAndComesBeforeAllLaterOnes() {
    queue.send(3);
    Received first = queue.peekLock();

    assertThat(queue.abandon(first)).isEqualTo(DONE);

    List<Received> messages = queue.peekLock(3);
    assertThat(numbers(messages)).containsExactly(1L, 2L, 3L);
    assertThat(messages).extracting(Received::deliveryCount).containsExactly(1, 0, 0);
    assertThat(messages.getFirst().bodyId()).isEqualTo(first.bodyId());
    assertThat(messages.getFirst().enqueuedAt()).isEqualTo(first.enqueuedAt());
  }

  @Test
  @Rule({"S-028", "S-137", "S-027"})
  void messagesComeBackEachToItsOldPlaceWhateverTheOrderOfTheirReturn() {
    queue.send(5);
    List<Received> messages = queue.peekLock(4);

    queue.abandon(messages.get(3));
    queue.release(messages.get(1));
    queue.abandon(messages.get(2));

    assertThat(numbers(queue.peekLock(5))).containsExactly(2L, 3L, 4L, 5L);
  }

  @Test
  @Rule({"S-092", "S-089", "S-114"})
  void aReleasedMessageIsFreeAtOnceAndNothingIsCountedOrWrittenDown() {
    queue.send(1);
    Received message = queue.peekLock();
    int logged = shard.log.size();

    assertThat(queue.release(message)).isEqualTo(DONE);

    assertThat(shard.log).hasSize(logged);
    assertThat(queue.peekLock().deliveryCount()).isZero();
  }

  @Test
  @Rule({"S-034", "S-189", "S-213", "S-089"})
  void aDeadLetteredMessageLeavesForTheDeadLetterQueueUncounted() {
    queue.send(1);
    Received message = queue.peekLock();

    assertThat(queue.deadLetter(message)).isEqualTo(DONE);

    assertThat(queue.peek()).isEmpty();
    Received dead = queue.deadLetters().peekLock();
    assertThat(dead.cause()).isEqualTo(DeadLetterCause.RECEIVER);
    assertThat(dead.deliveryCount()).isZero();
    assertThat(dead.overlayId()).isZero();
    assertThat(queue.counts().deadLetters()).isEqualTo(1);
  }

  @Test
  @Rule({"S-036", "S-206", "S-123", "S-089"})
  void aDeferredMessageStaysButIsNoLongerDelivered() {
    queue.send(2);
    Received message = queue.peekLock();

    assertThat(queue.defer(message)).isEqualTo(DONE);

    assertThat(numbers(queue.peekLock(5))).containsExactly(2L);
    assertThat(queue.counts().deferred()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  @Rule({"S-031", "S-037", "I-17"})
  void inABurstEachLockStandsForItself(Settlement settlement) {
    queue.send(3);
    List<Received> messages = queue.peekLock(3);
    queue.complete(messages.get(1));

    var outcomes = queue.settleAll(settlement, messages.get(0), messages.get(1), messages.get(2));

    assertThat(outcomes).containsExactly(DONE, LOST, DONE);
    assertThat(queue.counts().locked()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @Rule({"S-502", "I-17", "I-16"})
  void aLockNamedTwiceIsSettledOnce(Settlement settlement) {
    queue.send(2);
    List<Received> messages = queue.peekLock(2);

    var outcomes = queue.settleAll(settlement, messages.get(1), messages.get(0), messages.get(1));

    assertThat(outcomes).containsExactly(DONE, DONE, LOST);
  }

  @ParameterizedTest
  @EnumSource
  @Rule({"S-110", "S-037"})
  void ofSeveralTokensOneBadSettlesNothing(Settlement settlement) {
    queue.send(3);
    List<Received> messages = queue.peekLock(3);
    queue.complete(messages.get(1));
    int logged = shard.log.size();

    assertThat(queue.settleAtomically(settlement, messages.get(0), messages.get(1)))
        .isEqualTo(LOST);
    assertThat(queue.settleAtomically(settlement, messages.get(0), messages.get(0)))
        .isEqualTo(LOST);

    assertThat(shard.log).hasSize(logged);
    assertThat(queue.settleAtomically(settlement, messages.get(0), messages.get(2)))
        .isEqualTo(DONE);
    assertThat(queue.counts().locked()).isZero();
  }

  @Test
  @Rule("S-019")
  void aSettlementThatNobodyWaitsForIsDoneInSilence() {
    queue.send(2);
    List<Received> messages = queue.peekLock(2);
    long[] ids = {messages.get(0).lockId(), 77};

    Decision each =
        shard.ask(
            new Request.Settle(
                new Asker(), null, queue.id, Settlement.COMPLETE, ids, 2, false, null));
    Decision whole =
        shard.ask(
            new Request.Settle(
                new Asker(), null, queue.id, Settlement.COMPLETE, ids, 2, true, null));

    assertThat(each.effects()).isEmpty();
    assertThat(whole.effects()).isEmpty();
    assertThat(numbers(queue.peek())).containsExactly(2L);
  }

  @Test
  void aSettlementOfNothingIsDone() {
    for (Settlement settlement : Settlement.values()) {
      assertThat(queue.settleAll(settlement)).isEmpty();
      assertThat(queue.settleAtomically(settlement)).isEqualTo(DONE);
      assertThat(queue.deadLetters().settleAll(settlement)).isEmpty();
    }
  }

  @Test
  void onlyAsManyIdsAsTheCountSaysAreSettled() {
    queue.send(2);
    List<Received> messages = queue.peekLock(2);
    long[] ids = ids(messages.get(0), messages.get(1));

    shard.ask(
        new Request.Settle(
            new Asker(), new Note(), queue.id, Settlement.COMPLETE, ids, 1, false, null));

    assertThat(numbers(queue.peek())).containsExactly(2L);
  }

  @Test
  void aSettlementThatContradictsItselfIsNotMade() {
    assertThatThrownBy(() -> settle(new long[1], 2, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> settle(new long[1], -1, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> settle(new long[2], 2, new Overlay(1, 0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Request.Settle settle(long[] ids, int count, @Nullable Overlay overlay) {
    return new Request.Settle(
        new Asker(), new Note(), queue.id, Settlement.ABANDON, ids, count, false, overlay);
  }

  @Test
  @Rule("S-040")
  void aMessageWhoseCompleteCameTooLateComesASecondTime() {
    queue.send(1);
    Received first = queue.peekLock();
    shard.advance(Duration.ofMinutes(1));

    assertThat(queue.complete(first)).isEqualTo(LOST);

    assertThat(queue.peekLock().bodyId()).isEqualTo(first.bodyId());
  }
}

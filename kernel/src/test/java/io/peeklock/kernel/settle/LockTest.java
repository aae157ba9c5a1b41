package io.peeklock.kernel.settle;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.Outcome.LOST;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.state.DeadlineList;
import io.peeklock.kernel.state.LockTable;
import io.peeklock.kernel.state.LocksInOrder;
import io.peeklock.kernel.turn.TickHandler;
import io.peeklock.proof.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holding a lock means, how long, and what it means to have lost it. */
class LockTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture queue =
      QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(30)));

  @Test
  @Rule({"S-025", "S-050", "I-18"})
  void aLockLastsItsWholeDurationAndTheMessageIsFreeThen() {
    queue.send(1);
    queue.peekLock();

    shard.advance(ofMillis(29_999));
    assertThat(queue.peekLock(1)).isEmpty();
    shard.advance(ofMillis(1));

    assertThat(numbers(queue.peekLock(1))).containsExactly(1L);
  }

  @Test
  @Rule({"S-025", "I-18"})
  void aMachineThatSleptTakesNobodysLockAway() {
    queue.send(1);
    Received message = queue.peekLock();

    shard.nowMillis += 28_800_000; // no time passed on the monotonic clock
    shard.tickWhileDue();

    assertThat(queue.complete(message)).isEqualTo(DONE);
  }

  @Test
  @Rule("S-025")
  void untilWhenALockIsHeldIsToldByTheClockAlsoWhereShardTimeIsAheadOfIt() {
    shard.aheadMillis = 86_400_000;
    queue.send(2);
    Received first = queue.peekLock();
    long untilByTheClock = shard.stamp().wallMillis() + 30_000;

    assertThat(first.lockedUntil()).isEqualTo(untilByTheClock);
    assertThat(renewedUntil(first)).isEqualTo(untilByTheClock);
    Received second = queue.peekLock();
    queue.settle(Settlement.DEFER, second);
    assertThat(queue.receiveDeferred(second.number()).getFirst().lockedUntil())
        .isEqualTo(untilByTheClock);
  }

  @Test
  @Rule({"S-033", "S-121", "S-113", "S-419", "I-20"})
  void aLockThatRanOutFreesTheMessageWithOneMoreFailedAttempt() {
    queue.send(1);
    queue.peekLock();

    shard.advance(ofSeconds(30));

    assertThat(queue.peekLock().deliveryCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  @Rule({"S-037", "S-038", "S-044", "S-098", "S-418", "S-502", "I-17"})
  void aSettlementWithALockThatRanOutIsRefusedEvenBeforeAnybodyNoticed(Settlement settlement) {
    queue.send(1);
    Received message = queue.peekLock();
    shard.passes(ofSeconds(30));

    Outcome outcome = queue.settle(settlement, message);

    assertThat(outcome).isEqualTo(LOST);
    shard.tickWhileDue();
    assertThat(queue.peekLock().deliveryCount()).as("counted once (R-31)").isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  @Rule({"S-117", "S-106", "I-17"})
  void aTokenIsWorthNothingAfterAnySettlement(Settlement settlement) {
    queue.send(1);
    Received message = queue.peekLock();
    assertThat(queue.settle(settlement, message)).isEqualTo(DONE);

    for (Settlement again : Settlement.values()) {
      assertThat(queue.settle(again, message)).isEqualTo(LOST);
    }
    assertThat(queue.renew(message)).isEqualTo(LOST);
  }

  @Test
  @Rule({"S-045", "I-16", "I-17"})
  void anOldTokenDoesNotTouchTheLockOfTheNextHolder() {
    queue.send(1);
    Received first = queue.peekLock();
    shard.advance(ofSeconds(30));
    Received second = queue.peekLock();
    assertThat(second.lockId()).isNotEqualTo(first.lockId());

    assertThat(queue.complete(first)).isEqualTo(LOST);
    assertThat(queue.renew(first)).isEqualTo(LOST);

    assertThat(queue.complete(second)).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-502", "I-17"})
  void tokensThatNeverWereAreLost() {
    queue.send(1);
    Received message = queue.peekLock();

    for (long id : new long[] {0, 1, -1, 63, message.lockId() + 1, message.lockId() + (1 << 24)}) {
      Decision decision = shard.ask(queue.settlement(Settlement.COMPLETE, false, null, id));
      assertThat(QueueFixture.whole(decision)).isEqualTo(LOST);
      assertThat(decision.facts()).isEmpty();
    }
    assertThat(queue.complete(message)).isEqualTo(DONE);
    assertThat(QueueFixture.whole(shard.ask(queue.settlement(Settlement.COMPLETE, false, null, 0))))
        .isEqualTo(LOST);
  }

  @Test
  @Rule("S-112")
  void aTokenOfAnotherQueueIsLostHere() {
    QueueFixture other = QueueFixture.of(shard, QueueDefinition.named("other"));
    queue.send(1);
    other.send(1);
    Received message = queue.peekLock();
    other.peekLock();

    assertThat(other.complete(message)).isEqualTo(LOST);
    assertThat(other.renew(message)).isEqualTo(LOST);
    assertThat(queue.complete(message)).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-105", "S-121", "I-20"})
  void aLockThatIsRenewedAfterItsDurationWasShortenedLapsesByThat() {
    queue.send(1);
    Received message = queue.peekLock();
    shard.ask(
        new EntityRequest.UpdateQueue(
            new Asker(), new Note(), Definitions.lockDuration(ofSeconds(5))));

    long until = renewedUntil(message);

    assertThat(until).isEqualTo(shard.nowMillis + 5_000);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(5_000);
  }

  private long renewedUntil(Received message) {
    Decision decision =
        shard.ask(
            new Request.Renew(new Asker(), new Note(), queue.id, new long[] {message.lockId()}));
    return ShardFixture.only(decision, Effect.Renewed.class).lockedUntilMillis();
  }

  @Test
  @Rule({"S-026", "S-105", "S-109", "S-049", "I-19"})
  void renewingExtendsTheLockToNowPlusItsDuration() {
    queue.send(1);
    Received message = queue.peekLock();
    shard.advance(ofSeconds(20));

    assertThat(renewedUntil(message)).isEqualTo(shard.nowMillis + 30_000);
    shard.advance(ofSeconds(29));
    assertThat(queue.complete(message)).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-048", "S-108", "S-125"})
  void renewingInTimeKeepsALockForAsLongAsOneLikesAndCountsNothing() {
    queue.send(1);
    Received message = queue.peekLock();

    for (int i = 0; i < 100; i++) {
      shard.advance(ofSeconds(29));
      assertThat(queue.renew(message)).isEqualTo(DONE);
    }

    assertThat(queue.abandon(message)).isEqualTo(DONE);
    assertThat(queue.peekLock().deliveryCount()).isEqualTo(1);
  }

  @Test
  @Rule("S-107")
  void ofSeveralTokensOneBadFailsTheRenewalOfAll() {
    queue.send(2);
    List<Received> messages = queue.peekLock(2);
    shard.advance(ofSeconds(20));
    queue.complete(messages.get(1));

    assertThat(queue.renew(messages.get(0), messages.get(1))).isEqualTo(LOST);

    shard.advance(ofSeconds(10));
    assertThat(queue.complete(messages.get(0))).as("it was not renewed").isEqualTo(LOST);
  }

  @Test
  @Rule("S-107")
  void severalTokensAreRenewedTogetherAndOneNamedTwiceOnce() {
    queue.send(3);
    List<Received> messages = queue.peekLock(3);
    shard.advance(ofSeconds(20));

    assertThat(queue.renew(messages.get(2), messages.get(0), messages.get(2))).isEqualTo(DONE);

    shard.advance(ofSeconds(10));
    assertThat(queue.complete(messages.get(0))).isEqualTo(DONE);
    assertThat(queue.complete(messages.get(1))).isEqualTo(LOST);
    assertThat(queue.complete(messages.get(2))).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-116", "S-042", "S-044"})
  void aRestartEndsAllLocksUncountedAndOldTokensAreLost() {
    queue.send(2);
    Received held = queue.peekLock();

    shard.restart();

    assertThat(queue.complete(held)).isEqualTo(LOST);
    assertThat(queue.peekLock(5))
        .extracting(Received::number, Received::deliveryCount)
        .containsExactly(tuple(1L, 0), tuple(2L, 0));
  }

  @Test
  @Rule({"S-062", "S-509"})
  void aQueueThatIsNotThereIsNotFound() {
    QueueId nowhere = new QueueId(99);
    Outcome notFound = new Outcome(new Refusal.EntityNotFound());
    long[] ids = {1};

    Decision settle =
        shard.ask(
            new Request.Settle(
                new Asker(), new Note(), nowhere, Settlement.COMPLETE, ids, 1, false, null));
    Decision renew = shard.ask(new Request.Renew(new Asker(), new Note(), nowhere, ids));

    assertThat(QueueFixture.whole(settle)).isEqualTo(notFound);
    assertThat(QueueFixture.whole(renew)).isEqualTo(notFound);
  }

  @Test
  @Rule("I-18")
  void locksOfDifferentDurationsLapseEachInItsTime() {
    QueueFixture quick =
        QueueFixture.of(
            shard,
            new QueueDefinition(
                "quick",
                1_000,
                10,
                QueueDefinition.FOREVER,
                false,
                1_000,
                QueueDefinition.FOREVER));
    queue.send(2);
    quick.send(1);
    Received slow = queue.peekLock();
    quick.peekLock();

    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(1_000);
    shard.advance(ofSeconds(1));

    assertThat(quick.peekLock(1)).hasSize(1);
    assertThat(queue.complete(slow)).isEqualTo(DONE);
  }

  @Test
  void thousandsOfLocksLapseInSlices() {
    queue.send(1_500);
    queue.peekLock(1_500);
    shard.passes(ofSeconds(30));

    Decision slice = shard.machine.tick(shard.stamp(), FetchedBodies.NONE);
    shard.take(slice);

    assertThat(queue.counts().locked()).isEqualTo(1_500 - TickHandler.SLICE);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isZero();
    shard.tickWhileDue();
    assertThat(queue.counts().locked()).isZero();
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aTickWithNothingToDoFindsWhenTheNextIsDue() {
    queue.send(2);
    Received first = queue.peekLock();
    shard.advance(ofSeconds(10));
    queue.peekLock();
    queue.complete(first);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).as("a bound").isEqualTo(20_000);

    shard.advance(ofSeconds(20));

    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(10_000);
  }

  @Test
  void whenNoMoreLocksFitNothingIsDeliveredUntilOneEnds() {
    Machine small = new Machine(1);
    shard.checkEveryStep = false;
    shard.log.forEach(logged -> small.apply(logged.index(), logged.fact()));
    shard.machine = small;
    queue.send(2);
    QueueFixture.Consumer consumer = queue.consumer().wants(2);
    List<Received> messages = consumer.gets();
    assertThat(messages).hasSize(1);
    assertThat(small.wantsDispatch()).isFalse();

    queue.defer(messages.getFirst());

    assertThat(numbers(consumer.gets())).containsExactly(2L);
    assertThat(queue.refusedDeferred(1)).isEqualTo(new Outcome(new Refusal.TooManyLocked(0)));
    shard.machine = shard.replayed();
    shard.machine.takeDeadBodies();
  }

  @Test
  void locksAreTakenExactlyAsTheyWereReserved() {
    LockTable table = new LockTable(10, new StoredMemory());
    QueueId id = new QueueId(1);
    DeadlineList list = new DeadlineList();
    long[] reserved = table.reserve().ids(3);

    for (int i = 0; i < 3; i++) {
      table.link(table.take(reserved[i], id, i, 100), list);
    }
    table.release(reserved[1], list);

    assertThat(LockTable.slotOf(table.reserve().ids(1)[0]))
        .isEqualTo(LockTable.slotOf(reserved[1]));
    assertThatThrownBy(() -> table.take(reserved[1], id, 1, 100))
        .isInstanceOf(Invariant.BrokenInvariant.class);
    assertThatThrownBy(() -> table.release(reserved[1], list)).hasMessageContaining("ends");
    assertThatThrownBy(() -> table.extend(reserved[1], list, 1)).hasMessageContaining("extended");
    assertThat(table.queueOf(reserved[1])).isZero();
    assertThat(table.queueOf(reserved[0])).isEqualTo(1);
  }

  @Test
  void deadlinesStayInOrderWhereverALockIsPut() {
    LockTable table = new LockTable(100, new StoredMemory());
    DeadlineList list = new DeadlineList();
    long[] ids = table.reserve().ids(5);
    long[] deadlines = {50, 10, 30, 30, 70};
    for (int i = 0; i < 5; i++) {
      table.link(table.take(ids[i], new QueueId(1), i, deadlines[i]), list);
    }

    table.extend(ids[4], list, 20);
    table.extend(ids[1], list, 60);

    assertThat(table.firstDeadline(list)).isEqualTo(20);
    long before = 0;
    LocksInOrder walk = new LocksInOrder(table, list);
    for (int slot = walk.next(); slot != LockTable.NONE; slot = walk.next()) {
      assertThat(table.deadline(slot)).isGreaterThanOrEqualTo(before);
      before = table.deadline(slot);
    }
    assertThat(before).isEqualTo(60);
    for (long id : ids) {
      table.release(id, list);
    }
    assertThat(table.firstDeadline(list)).isEqualTo(Long.MAX_VALUE);
    assertThat(list.count()).isZero();
  }
}

package io.peeklock.kernel.schedule;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.kernel.turn.TickHandler;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that wait for their time. */
class ScheduleTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, Definitions.defaults());
  }

  private long now() {
    return shard.stamp().nowMillis();
  }

  @Test
  @Rule({"S-148", "S-151", "S-152", "I-31"})
  void aScheduledMessageIsActiveAtItsTimeAndNotBefore() {
    QueueFixture queue = queue();
    queue.schedule(now() + 10_000);
    long due = now() + 10_000;

    shard.advance(ofMillis(9_999));
    assertThat(queue.peekLock(1)).isEmpty();
    assertThat(queue.counts().scheduled()).isEqualTo(1);
    shard.advance(ofMillis(1));

    Received message = queue.peekLock();
    assertThat(message.enqueuedAt()).isEqualTo(due);
    assertThat(queue.counts().scheduled()).isZero();
  }

  @Test
  @Rule({"S-151", "I-31", "I-14"})
  void whereShardTimeIsAheadOfTheClockItIsTheClockThatSaysWhenOneIsDue() {
    shard.aheadMillis = ofDays(1).toMillis();
    QueueFixture queue = queue();
    queue.send(1);
    long dueByTheClock = shard.stamp().wallMillis() + 60_000;
    queue.schedule(dueByTheClock);

    shard.advance(ofMillis(59_999));
    assertThat(queue.counts().scheduled()).isEqualTo(1);
    shard.advance(ofMillis(1));

    assertThat(queue.counts().scheduled()).isZero();
    List<Received> messages = queue.peekLock(2);
    assertThat(messages.get(1).enqueuedAt())
        .as("and what the log keeps never falls")
        .isGreaterThanOrEqualTo(messages.get(0).enqueuedAt());
  }

  @Test
  @Rule("S-162")
  void whereShardTimeIsAheadOfTheClockOneLivesAsLongAsItMayFromWhenItIsActive() {
    shard.aheadMillis = ofDays(1).toMillis();
    QueueFixture queue =
        QueueFixture.of(
            shard, Definitions.defaults().with().defaultTimeToLiveMillis(30_000).build());
    queue.schedule(shard.stamp().wallMillis() + 60_000);

    shard.advance(ofSeconds(60));
    shard.advance(ofMillis(29_999));
    assertThat(queue.counts().active()).isEqualTo(1);
    shard.advance(ofMillis(1));

    assertThat(queue.counts().active()).isZero();
  }

  @Test
  @Rule({"S-149", "S-151", "S-145", "I-12"})
  void itGetsANewNumberWhenItBecomesActive() {
    QueueFixture queue = queue();
    long[] scheduled = queue.schedule(now() + 1_000, now() + 2_000);
    queue.send(1);

    shard.advance(ofSeconds(2));

    assertThat(scheduled).containsExactly(1, 2);
    assertThat(numbers(queue.peekLock(5))).containsExactly(3L, 4L, 5L);
  }

  @Test
  @Rule({"S-139", "S-161"})
  void whatBecomesActiveIsTheLastAndComesOnce() {
    QueueFixture queue = queue();
    queue.schedule(now() + 1_000);
    queue.send(2);
    shard.advance(ofSeconds(1));
    queue.send(1);

    List<Received> messages = queue.peekLock(9);

    assertThat(messages).extracting(Received::bodyId).containsExactly(2L, 3L, 1L, 4L);
    assertThat(messages.get(2).enqueuedAt()).isEqualTo(now());
    messages.forEach(queue::complete);
    shard.advance(ofDays(400));
    assertThat(queue.counts().scheduled()).isZero();
    assertThat(queue.counts().active()).isZero();
  }

  @Test
  @Rule("S-150")
  void aTimeThatIsPastMeansNow() {
    QueueFixture queue = queue();
    queue.send(1);

    long[] given = queue.schedule(now() - 1, now());

    assertThat(given).containsExactly(2, 3);
    assertThat(numbers(queue.peekLock(5))).containsExactly(1L, 2L, 3L);
    assertThat(queue.counts().scheduled()).isZero();
  }

  @Test
  @Rule("S-406")
  void aBatchOfBothKeepsItsOrderOfNumbers() {
    QueueFixture queue = queue();

    long[] given = queue.schedule(0, now() + 1_000, now() + 1_000, 0);

    assertThat(given).containsExactly(1, 2, 3, 4);
    assertThat(numbers(queue.peekLock(5))).containsExactly(1L, 4L);
    assertThat(queue.peek())
        .extracting(Received::state)
        .containsExactly(
            MessageState.ACTIVE,
            MessageState.SCHEDULED,
            MessageState.SCHEDULED,
            MessageState.ACTIVE);
  }

  @Test
  @Rule("S-151")
  void thoseThatAreDueFirstComeFirst() {
    QueueFixture queue = queue();
    queue.schedule(now() + 3_000, now() + 1_000, now() + 2_000);
    List<Long> bodies = List.of(2L, 3L, 1L);

    shard.passes(ofSeconds(5));
    shard.tickWhileDue();

    assertThat(queue.peekLock(5)).extracting(Received::bodyId).isEqualTo(bodies);
  }

  @Test
  @Rule("S-153")
  void aCancelledMessageNeverComes() {
    QueueFixture queue = queue();
    long[] scheduled = queue.schedule(now() + 1_000, now() + 1_000);

    assertThat(queue.cancel(scheduled[0])).isEqualTo(DONE);
    shard.advance(ofSeconds(1));

    assertThat(queue.peekLock(5)).extracting(Received::bodyId).containsExactly(2L);
    assertThat(shard.deadBodies).containsExactly(1L);
  }

  @Test
  @Rule({"S-154", "S-155"})
  void aCancelOfOneThatIsNotThereCancelsNothingAndNamesIt() {
    QueueFixture queue = queue();
    long[] scheduled = queue.schedule(now() + 1_000, now() + 9_000);
    queue.cancel(scheduled[0]);
    queue.send(1);

    Refusal refusal = queue.cancel(scheduled[1], scheduled[0], 3, 77).refusal();

    assertThat(refusal)
        .isInstanceOfSatisfying(
            Refusal.ScheduledMessagesNotFound.class,
            missing -> assertThat(missing.sequenceNumbers()).containsExactly(1, 3, 77));
    assertThat(queue.counts().scheduled()).isEqualTo(1);
  }

  @Test
  @Rule({"S-154", "S-153"})
  void oneThatIsActiveCannotBeCancelledAndANumberMayBeNamedTwice() {
    QueueFixture queue = queue();
    long[] scheduled = queue.schedule(now() + 1_000, now() + 9_000);
    shard.advance(ofSeconds(1));

    assertThat(queue.cancel(scheduled[0]).refusal()).isNotNull();
    assertThat(queue.cancel(scheduled[1], scheduled[1])).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-162", "S-164"})
  void theTimeToLiveRunsFromActivation() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.timeToLive(ofSeconds(20), false));
    queue.schedule(now() + 60_000);
    shard.passes(ofSeconds(61));
    shard.tickWhileDue();

    Received message = queue.peek().getFirst();

    assertThat(message.enqueuedAt()).isEqualTo(now());
    assertThat(message.expiresAt()).isEqualTo(now() + 20_000);
    shard.advance(ofSeconds(20));
    assertThat(queue.peek()).isEmpty();
  }

  @Test
  @Rule({"S-218", "S-226"})
  void peekShowsScheduledMessagesAmongTheOthers() {
    QueueFixture queue = queue();
    queue.send(1);
    queue.schedule(now() + 1_000);
    queue.send(1);
    queue.schedule(now() + 2_000);

    assertThat(numbers(queue.peek())).containsExactly(1L, 2L, 3L, 4L);
    assertThat(numbers(queue.peek(2, 2, 1_000))).containsExactly(2L, 3L);
    assertThat(queue.peek().get(1).enqueuedAt()).isEqualTo(now() + 1_000);
  }

  @Test
  @Rule("S-187")
  void scheduledMessagesFillTheQueue() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxSize(250));
    queue.schedule(now() + 1_000, now() + 1_000);

    assertThat(queue.sendSized(100).getFirst().refusal())
        .isEqualTo(new Refusal.QuotaExceeded(200, 250));
  }

  @Test
  @Rule({"I-31", "I-42"})
  void manyBecomeActiveInSlicesThatCarryOn() {
    QueueFixture queue = queue();
    shard.checkEveryStep = false;
    long[] due = new long[5_000];
    Arrays.setAll(due, i -> now() + 1_000 + i % 7);
    queue.schedule(due);
    shard.passes(ofSeconds(2));

    Decision slice = shard.machine.tick(shard.stamp(), FetchedBodies.NONE);
    assertThat(slice.facts()).hasSize(1);
    assertThat(((Fact.Activated) slice.facts().getFirst()).sequenceNumbers())
        .hasSize(TickHandler.SLICE);
    shard.take(slice);
    shard.tickWhileDue();

    assertThat(queue.counts().active()).isEqualTo(5_000);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void farTimesAreKeptExactly() {
    QueueFixture queue = queue();
    long due = now() + ofDays(400).toMillis();
    queue.scheduled(
        new SendBurst(
            1,
            new int[] {1},
            new int[] {1},
            new long[] {QueueDefinition.FOREVER},
            new long[] {due},
            null,
            null));

    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(ofDays(400).toMillis());
    assertThat(queue.peek().getFirst().enqueuedAt()).isEqualTo(due);
    assertThat(queue.peek().getFirst().expiresAt()).isEqualTo(QueueDefinition.FOREVER);
  }

  @Test
  @Rule({"S-062", "S-183"})
  void nothingIsCancelledWhereNothingCanBeScheduled() {
    QueueFixture queue = queue();
    queue.schedule(now() + 1_000);
    for (QueueId other : new QueueId[] {new QueueId(99), queue.deadLetters().id}) {
      Decision decision =
          shard.ask(new Request.CancelScheduled(new Asker(), new Note(), other, new long[] {1}));
      assertThat(QueueFixture.whole(decision).refusal()).isEqualTo(new Refusal.EntityNotFound());
    }
    assertThat(queue.cancel()).as("of no numbers").isEqualTo(DONE);
    assertThat(queue.counts().scheduled()).isEqualTo(1);
  }

  @Test
  void aBurstHasAllItsColumns() {
    int[] two = {1, 1};
    long[] ever = {QueueDefinition.FOREVER, QueueDefinition.FOREVER};
    long[] short1 = {1};
    assertThatThrownBy(() -> new SendBurst(2, two, two, ever, short1, null, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SendBurst(2, two, two, ever, null, ever, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SendBurst(2, two, two, ever, null, null, new String[] {"a"}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Rule({"S-222", "S-223"})
  void peekStopsAtItsBoundsAmongScheduledMessagesToo() {
    QueueFixture queue = queue();
    queue.schedule(now() + 1_000, now() + 1_000, now() + 1_000);
    queue.send(2);

    assertThat(numbers(queue.peek(1, 9, QueueFixture.SIZE * 2))).containsExactly(1L, 2L);
    assertThat(numbers(queue.peek(3, 9, 1))).containsExactly(3L);
    assertThat(numbers(queue.peek(4, 1, 9_999))).containsExactly(4L);
    assertThat(queue.peek(6, 9, 9_999)).isEmpty();
  }

  @Test
  @Rule("S-176")
  void aScheduledMessageWithATimeToLiveKeepsItThroughASnapshot() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.timeToLive(ofSeconds(20), true));
    queue.schedule(now() + 1_000, 0, now() + 3_000);
    long hash = shard.machine.stateHash();
    Machine rebuilt = new Machine();
    Snapshot snapshot = shard.machine.beginSnapshot();
    queue.cancel(1);
    shard.passes(ofSeconds(3));
    shard.tickWhileDue();
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      part.forEach(fact -> rebuilt.apply(0, fact));
    }
    snapshot.end();

    assertThat(rebuilt.stateHash()).isEqualTo(hash);
  }
}

package io.peeklock.kernel.turn;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.session.SessionEnding;
import io.peeklock.kernel.turn.DueFixture.Work;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing that time, or an earlier request, wants done waits for all of something else. */
class TickTurnsTest {

  /** Far less than a flood takes, enough for each kind to have had its turn, and a read. */
  private static final int SOON = 8;

  @RegisterExtension final ShardFixture shard = new ShardFixture();
  private final DueFixture time = new DueFixture(shard);

  /** Of which one of a queue need not wait for those of another. */
  private static final Set<Work> OF_A_QUEUE =
      EnumSet.of(
          Work.LOCKS,
          Work.EXPIRIES,
          Work.SCHEDULES,
          Work.TOPICS,
          Work.WIDE_TOPICS,
          Work.SESSIONS,
          Work.ENDING_SESSIONS);

  /** A namespace that is emptied is no flood: it ends all others. */
  static Stream<Arguments> pairs() {
    return Arrays.stream(Work.values())
        .filter(flood -> flood != Work.EMPTYING)
        .flatMap(
            flood ->
                Arrays.stream(Work.values())
                    .filter(one -> one != flood || OF_A_QUEUE.contains(one))
                    .map(one -> Arguments.of(flood, one)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  @Rule({"I-47", "S-033", "S-151", "S-168", "S-307"})
  void whatIsDueIsDoneSoonWhateverElseIsDue(Work flood, Work one) {
    BooleanSupplier done = time.prepare(one, "one", 1, ofSeconds(2));
    BooleanSupplier flooded = time.prepare(flood, "flood", 20_000, ofSeconds(1));
    shard.passes(ofMinutes(6));

    for (int i = 0; i < SOON && !done.getAsBoolean(); i++) {
      time.tick();
    }

    assertThat(done.getAsBoolean()).as("what is one").isTrue();
    assertThat(flooded.getAsBoolean()).as("there is still a flood").isFalse();
  }

  @Test
  @Rule({"I-47", "S-241", "S-128"})
  void inOneQueueTooNoneWaitsForAllTheOthers() {
    QueueFixture queue =
        QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(5)).withSession(true));
    int messages = 6 * SessionEnding.SLICE;
    queue.sendTo(Collections.nCopies(messages, "large").toArray(new String[0]));
    Consumer large = queue.accepts("large", ZERO).wants(messages);
    shard.passes(ofSeconds(1));
    Consumer small = queue.accepts("small", ZERO);
    Consumer waits = queue.accepts(null, ofSeconds(4));
    shard.passes(ofSeconds(6));

    time.tick();
    time.tick();

    assertThat(large.lostItsSession()).isTrue();
    assertThat(small.lostItsSession()).isTrue();
    assertThat(waits.refusal()).isEqualTo(new Refusal.Timeout());
    assertThat(queue.counts().locked()).isPositive();
    shard.tickWhileDue();
    assertThat(queue.counts().locked()).isZero();
  }

  @Test
  @Rule({"S-156", "I-47"})
  void whatWasReadIsUsedBeforeAnythingElseHasItsTurn() {
    BooleanSupplier published = time.prepare(Work.TOPICS, "events", 1, ofSeconds(1));
    time.prepare(Work.DELETED, "gone", 20_000, ofSeconds(1));
    shard.passes(ofSeconds(2));
    assertThat(shard.machine.tick(shard.stamp(), FetchedBodies.NONE).needs()).isNotEmpty();
    Decision meanwhile = shard.machine.tick(shard.stamp(), null);
    assertThat(meanwhile.facts()).hasOnlyElementsOfType(EntityFact.Deleted.class);
    shard.take(meanwhile);

    shard.take(shard.machine.tick(shard.stamp(), shard.store));

    assertThat(published.getAsBoolean()).isTrue();
  }

  @Test
  @Rule({"S-151", "I-47"})
  void whatNeedsNoReadsIsDoneInTurnHoweverLongAReadTakes() {
    BooleanSupplier published = time.prepare(Work.TOPICS, "events", 1, ofSeconds(1));
    BooleanSupplier plain = time.prepare(Work.SCHEDULES, "plain", 1, ofSeconds(1));
    BooleanSupplier gone = time.prepare(Work.DELETED, "gone", 20_000, ofSeconds(1));
    shard.passes(ofSeconds(2));
    assertThat(shard.machine.tick(shard.stamp(), FetchedBodies.NONE).needs()).isNotEmpty();

    for (int i = 0; i < SOON; i++) {
      shard.take(shard.machine.tick(shard.stamp(), null));
    }

    assertThat(plain.getAsBoolean()).isTrue();
    assertThat(published.getAsBoolean()).isFalse();
    assertThat(gone.getAsBoolean()).isFalse();
  }
}

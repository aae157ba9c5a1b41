package io.peeklock.kernel.turn;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.session.SessionEnding;
import io.peeklock.kernel.turn.DueFixture.Work;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is due in one of very many queues does not wait for all that is due in the others. */
class ManyDueQueuesTest {

  /** More than one decision looks at. */
  private static final int MANY = 700;

  /** So many decisions are a round of so many queues with work of one kind. */
  private static final int ROUND = 8;

  @RegisterExtension final ShardFixture shard = new ShardFixture();
  private final DueFixture time = new DueFixture(shard);

  @ParameterizedTest
  @EnumSource(
      value = Work.class,
      names = {"LOCKS", "EXPIRIES", "SCHEDULES", "TOPICS", "SESSIONS", "ENDING_SESSIONS"})
  @Rule({"I-47", "I-31", "I-45", "S-033", "S-151", "S-156", "S-168"})
  void oneQueueHasItsTurnBeforeAnyOfManyOthersIsEmpty(Work work) {
    List<BooleanSupplier> flooded = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      flooded.add(time.prepare(work, "flood" + i, 100, ofSeconds(1)));
    }
    BooleanSupplier done = time.prepare(work, "one", 1, ofSeconds(2));
    shard.passes(ofMinutes(1));

    for (int i = 0; i < ROUND && !done.getAsBoolean(); i++) {
      time.tick();
    }

    assertThat(done.getAsBoolean()).as("what is one").isTrue();
    assertThat(flooded).as("there is still a flood").noneMatch(BooleanSupplier::getAsBoolean);
  }

  @Test
  @Rule({"I-47", "S-151", "S-156"})
  void manyTopicsTakeTurnsWhereCopiesAreMoreThanOneDecisionMakes() {
    long due = shard.nowMillis + 1_000;
    List<BooleanSupplier> flooded = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      QueueDefinition definition = QueueDefinition.named("flood" + i);
      flooded.add(time.topic(definition, 30, 100, due));
    }
    BooleanSupplier done = time.topic(QueueDefinition.named("one"), 30, 1, due + 1_000);
    shard.passes(ofSeconds(3));

    for (int i = 0; i < 20 && !done.getAsBoolean(); i++) {
      time.tick();
    }

    assertThat(done.getAsBoolean()).as("what is one").isTrue();
    assertThat(flooded).as("there is still a flood").noneMatch(BooleanSupplier::getAsBoolean);
  }

  @Test
  @Rule({"I-47", "S-156"})
  void topicsThatMustReadAndThoseThatNeedNotTakeTurns() {
    long due = shard.nowMillis + 1_000;
    BooleanSupplier reading = time.topic(QueueDefinition.named("reads"), 1, 2_000, due);
    BooleanSupplier plain = time.topic(QueueDefinition.named("copies"), 500, 2_000, due);
    BooleanSupplier one = time.topic(QueueDefinition.named("one"), 2, 1, due);
    BooleanSupplier other = time.topic(QueueDefinition.named("other"), 1, 1, due);
    shard.passes(ofSeconds(2));

    for (int i = 0; i < 8; i++) {
      time.tick();
    }

    assertThat(one.getAsBoolean()).isTrue();
    assertThat(other.getAsBoolean()).isTrue();
    assertThat(reading.getAsBoolean()).isFalse();
    assertThat(plain.getAsBoolean()).isFalse();
  }

  @Test
  @Rule({"I-47", "S-151"})
  void whoeverIsNewWaitsForARoundAtMostThoughOthersComeAllTheTime() {
    BooleanSupplier first = time.prepare(Work.SCHEDULES, "first", 20_000, ofSeconds(1));
    shard.passes(ofSeconds(2));
    time.tick();
    BooleanSupplier one = time.prepare(Work.SCHEDULES, "one", 1, ofSeconds(0));

    for (int i = 0; i < 8 && !one.getAsBoolean(); i++) {
      time.prepare(Work.SCHEDULES, "more" + i, 2_000, ofSeconds(0));
      time.tick();
    }

    assertThat(one.getAsBoolean()).isTrue();
    assertThat(first.getAsBoolean()).isFalse();
  }

  @Test
  @Rule("I-47")
  void oneDecisionStaysWithinItsBoundWithFloodsOfAllKindsInManyQueues() {
    Set<Work> works =
        EnumSet.of(
            Work.LOCKS,
            Work.EXPIRIES,
            Work.SCHEDULES,
            Work.TOPICS,
            Work.ENDING_SESSIONS,
            Work.WAITING_FOR_SESSIONS);
    for (int i = 0; i < MANY; i++) {
      for (Work work : works) {
        time.prepare(work, "q" + work + i, 20, ofSeconds(1));
      }
    }
    shard.passes(ofMinutes(1));

    for (int i = 0; i < 20; i++) {
      Decision decision = shard.machine.tick(shard.stamp(), i % 2 == 0 ? null : shard.store);

      assertThat(freed(decision, true)).isBetween(1L, (long) SessionEnding.SLICE);
      long others = freed(decision, false) + rows(decision) + told(decision);
      assertThat(others).isBetween(TickHandler.SLICE / 3L, (long) TickHandler.SLICE);
      shard.take(decision);
    }
  }

  private long freed(Decision decision, boolean ofSessions) {
    return decision.grants().stream()
        .filter(Grant.Unlocked.class::isInstance)
        .map(Grant.Unlocked.class::cast)
        .filter(
            each -> ofSessions == (shard.machine.state().known(each.queue()).sessions() != null))
        .mapToLong(each -> each.lockIds().length)
        .sum();
  }

  private static long told(Decision decision) {
    return decision.effects().stream().filter(Effect.Refused.class::isInstance).count();
  }

  private static long rows(Decision decision) {
    return decision.facts().stream().flatMapToLong(ManyDueQueuesTest::rows).count();
  }

  private static LongStream rows(Fact fact) {
    return LongStream.of(
        switch (fact) {
          case Fact.Expired expired -> expired.sequenceNumbers();
          case Fact.Activated activated -> activated.sequenceNumbers();
          case Fact.ScheduledPublished published -> published.sequenceNumbers();
          default -> new long[0];
        });
  }
}

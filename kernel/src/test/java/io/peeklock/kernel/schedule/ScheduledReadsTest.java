package io.peeklock.kernel.schedule;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.decide.TickContext;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Delay;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.state.ScheduledMessages;
import io.peeklock.kernel.turn.DueFixture;
import io.peeklock.kernel.turn.DueFixture.Work;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topics whose due messages must be read, while what is read and what is due changes. */
class ScheduledReadsTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();
  private final DueFixture time = new DueFixture(shard);
  private final Reads reads = new Reads();

  /** What was read of what was asked for, until a decision was made with it. */
  private final class Reads implements FetchedBodies {
    private final Set<Long> read = new HashSet<>();
    private final Set<Long> lost = new HashSet<>();

    @Override
    public @Nullable MessageView source(long bodyId, long overlayId, DeadLetterCause cause) {
      return read.contains(bodyId) ? shard.store.source(bodyId, overlayId, cause) : null;
    }

    @Override
    public boolean isEmpty() {
      return read.isEmpty() && lost.isEmpty();
    }

    @Override
    public boolean isLost(long bodyId) {
      return lost.contains(bodyId);
    }

    /** Reads what a decision needs; how many bodies that are. */
    int read(Decision decision) {
      long[] bodies = Arrays.stream(decision.needs()).filter(id -> id != 0).toArray();
      Arrays.stream(bodies).forEach(read::add);
      return bodies.length;
    }
  }

  private BooleanSupplier topic(String name, int count, Duration later) {
    return time.prepare(Work.TOPICS, name, count, later);
  }

  private Decision asks() {
    return shard.machine.tick(shard.stamp(), reads);
  }

  private static List<Integer> published(Decision decision) {
    return decision.facts().stream()
        .filter(Fact.ScheduledPublished.class::isInstance)
        .map(fact -> ((Fact.ScheduledPublished) fact).sequenceNumbers().length)
        .toList();
  }

  /** Of the first message that is scheduled in a topic. */
  private long bodyOf(String path) {
    ScheduledMessages scheduled = shard.machine.state().known(id(path)).scheduled();
    long place = scheduled.firstFrom(0);
    return scheduled.chunk(place).bodyId(Place.row(place));
  }

  private QueueId id(String path) {
    return Objects.requireNonNull(shard.machine.state().queue(path)).id();
  }

  @Test
  @Rule({"S-156", "S-151", "I-47"})
  void whatWasReadIsPublishedThoughATopicMayDoMoreByThen() {
    topic("one", 60, ofSeconds(1));
    topic("other", 60, ofSeconds(1));
    time.prepare(Work.EXPIRIES, "brief", 400, ofSeconds(1));
    time.prepare(Work.LOCKS, "locked", 400, Duration.ZERO);
    time.prepare(Work.SCHEDULES, "later", 400, ofSeconds(1));
    shard.passes(ofSeconds(6));
    int asked = reads.read(asks());
    assertThat(asked).isLessThan(120);
    for (int i = 0; i < 20; i++) {
      shard.take(shard.machine.tick(shard.stamp(), null)); // what needs no reads is done meanwhile
    }

    Decision decision = asks();

    assertThat(decision.needs()).isEmpty();
    assertThat(published(decision)).hasSize(2);
    assertThat(published(decision).stream().mapToInt(each -> each).sum()).isEqualTo(asked);
    shard.take(decision);
  }

  @Test
  @Rule({"S-156", "I-47"})
  void whatOneTopicMissesIsNotForgottenWhenAnotherUsesWhatWasRead() {
    topic("one", 1, ofSeconds(1));
    BooleanSupplier late = topic("late", 1, ofSeconds(2));
    BooleanSupplier third = topic("third", 1, ofSeconds(1));
    shard.passes(ofMillis(1_500));
    reads.read(asks());
    shard.passes(ofSeconds(1));

    Decision decision = asks();

    assertThat(decision.grants())
        .contains(new Grant.NextTurn(Grant.Due.READ_COPIES, id("late").number()));
    shard.take(decision);
    assertThat(third.getAsBoolean()).isTrue();
    assertThat(late.getAsBoolean()).isFalse();
    reads.read.clear();
    reads.read(asks());
    shard.take(asks());
    assertThat(late.getAsBoolean()).isTrue();
  }

  private static Duration ofMillis(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  @Rule({"S-156", "I-47"})
  void aReadThatFailsHoldsUpItsTopicAlone() {
    BooleanSupplier broken = topic("broken", 1, ofSeconds(1));
    BooleanSupplier whole = topic("whole", 1, ofSeconds(1));
    shard.passes(ofSeconds(2));
    long[] needs = asks().needs();
    assertThat(needs).hasSize(4);
    long lost = bodyOf("broken");
    reads.lost.add(lost);
    for (long body : needs) {
      if (body != lost) {
        reads.read.add(body);
      }
    }

    Decision decision = asks();

    assertThat(decision.grants())
        .contains(
            new Grant.ScheduleWaits(
                id("broken"),
                shard.nowMillis + TickContext.UNREADABLE_MILLIS,
                new Delay(WaitReason.MESSAGE_UNREADABLE, shard.stamp().monotonicMillis())));
    shard.take(decision);
    assertThat(whole.getAsBoolean()).isTrue();
    assertThat(broken.getAsBoolean()).isFalse();
    shard.passes(Duration.ofMillis(TickContext.UNREADABLE_MILLIS));
    reads.lost.clear();
    reads.read(asks());
    shard.take(asks());
    assertThat(broken.getAsBoolean()).isTrue();
  }

  @Test
  @Rule({"S-156", "I-47"})
  void whatWasReadBeforeAMessageThatCannotBeIsPublishedAndWhatIsBehindItWaits() {
    topic("events", 5, ofSeconds(1));
    shard.passes(ofSeconds(2));
    long[] needs = asks().needs();
    reads.read(asks());
    reads.read.remove(needs[4]); // the third
    reads.lost.add(needs[4]);

    Decision decision = asks();

    assertThat(published(decision)).containsExactly(2);
    shard.take(decision);
    assertThat(asks().grants()).hasAtLeastOneElementOfType(Grant.ScheduleWaits.class);
    reads.lost.clear();
    reads.read.add(needs[4]);
    decision = asks();
    assertThat(published(decision)).containsExactly(3);
    shard.take(decision);
  }

  @Test
  @Rule({"S-156", "S-071", "I-47"})
  void aReadThatComesAfterItsTopicIsDeletedHoldsUpNoOther() {
    topic("gone", 3, ofSeconds(1));
    BooleanSupplier stays = topic("stays", 1, ofSeconds(2));
    BooleanSupplier plain = time.prepare(Work.SCHEDULES, "plain", 1, ofSeconds(2));
    shard.passes(ofMillis(1_500));
    assertThat(reads.read(asks())).isEqualTo(3);
    time.delete("gone");
    shard.passes(ofSeconds(1));

    assertThat(reads.read(asks())).as("what the other needs").isOne();
    shard.take(shard.machine.tick(shard.stamp(), null));
    shard.take(asks());

    assertThat(plain.getAsBoolean()).isTrue();
    assertThat(stays.getAsBoolean()).isTrue();
    reads.read.clear();
    for (int i = 0; i < 3; i++) {
      shard.take(asks());
    }
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isPositive();
  }

  @Test
  @Rule({"S-156", "S-324"})
  void aTopicThatGetsARuleWhileItIsDueReads() {
    long due = shard.nowMillis + 1_000;
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture all = topic.subscription("all");
    topic.schedule(new long[] {due}, TopicFixture.Message.having("colour", "red"));
    topic.add(all, TopicFixture.rule("red", "colour = 'red'"));
    topic.remove(all, "$Default");

    shard.advance(ofSeconds(2));

    assertThat(all.peek()).hasSize(1);
    topic.schedule(new long[] {due + 5_000}, TopicFixture.Message.having("colour", "blue"));
    topic.remove(all, "red");
    topic.add(all, TopicFixture.rule("all", "1=1"));
    shard.read.clear();
    shard.advance(ofSeconds(10));
    assertThat(all.peek()).hasSize(2);
    assertThat(shard.read).as("it need not read any more").isEmpty();
  }
}

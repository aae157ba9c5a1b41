package io.peeklock.kernel.queue;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.EntityFact;
import io.peeklock.kernel.EntityRequest;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.queue.QueueFixture.Consumer;
import io.peeklock.kernel.queue.ShardFixture.Asker;
import io.peeklock.kernel.queue.ShardFixture.Note;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
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

  /** What a tick may have to do. */
  enum Work {
    LOCKS,
    EXPIRIES,
    SCHEDULES,
    TOPICS,
    WIDE_TOPICS,
    SESSIONS,
    ENDING_SESSIONS,
    WAITING_FOR_SESSIONS,
    IDLE,
    LEAVING,
    EMPTYING,
    DELETED
  }

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

  /** Prepares so much of some work; the answer says whether all of it is done. */
  private BooleanSupplier prepare(Work work, String name, int count, Duration later) {
    QueueDefinition plain = QueueDefinition.named(name);
    long due = shard.nowMillis + later.toMillis();
    return switch (work) {
      case LOCKS -> locks(plain, count, later);
      case EXPIRIES -> expiries(plain, count, later);
      case SCHEDULES -> schedules(plain, count, due);
      case TOPICS -> topic(plain, 1, Math.min(count, 2_000), due);
      case WIDE_TOPICS -> topic(plain, count == 1 ? 1 : 1_000, Math.min(count, 50), due);
      case IDLE -> idle(plain, Math.min(count, 50), later);
      case EMPTYING -> emptying(name);
      case DELETED -> deleted(plain, count);
      case LEAVING -> leaving(plain, count);
      case SESSIONS, ENDING_SESSIONS, WAITING_FOR_SESSIONS -> sessions(work, plain, count, later);
    };
  }

  private BooleanSupplier locks(QueueDefinition plain, int count, Duration later) {
    long duration = 5_000 + later.toMillis();
    QueueFixture queue = QueueFixture.of(shard, plain.with().lockDurationMillis(duration).done());
    queue.send(count);
    queue.peekLock(count);
    return () -> queue.counts().locked() == 0;
  }

  private BooleanSupplier expiries(QueueDefinition plain, int count, Duration later) {
    long life = later.toMillis() + 1;
    QueueFixture queue = QueueFixture.of(shard, plain.with().defaultTimeToLiveMillis(life).done());
    queue.send(count);
    return () -> queue.counts().active() == 0;
  }

  private BooleanSupplier schedules(QueueDefinition plain, int count, long due) {
    QueueFixture queue = QueueFixture.of(shard, plain);
    long[] times = new long[count];
    Arrays.fill(times, due);
    queue.schedule(times);
    return () -> queue.counts().scheduled() == 0;
  }

  private BooleanSupplier emptying(String name) {
    for (int i = 0; i < 2 * EmptyNamespaceHandler.SLICE + 1; i++) {
      QueueFixture.of(shard, QueueDefinition.named(name + i));
    }
    shard.ask(new EntityRequest.EmptyNamespace(new Asker(), new Note(), true));
    return () -> shard.machine.state().emptyings.isEmpty();
  }

  private BooleanSupplier deleted(QueueDefinition plain, int count) {
    QueueFixture queue = QueueFixture.of(shard, plain);
    queue.send(2 * count);
    delete(plain.path());
    return () -> shard.machine.state().entities.at(queue.id.number()) == null;
  }

  private BooleanSupplier leaving(QueueDefinition plain, int count) {
    QueueFixture queue = QueueFixture.of(shard, plain);
    for (int i = 0; i < ReceiverEnding.SLICE + count; i++) {
      queue.consumer();
    }
    delete(plain.path());
    return () -> shard.machine.state().leavers.isEmpty();
  }

  private void delete(String path) {
    shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), path));
  }

  /** Messages that are due in a topic; with one subscription its rule must look at them. */
  private BooleanSupplier topic(QueueDefinition plain, int subscriptions, int count, long due) {
    ReadBodies others = shard.store;
    TopicFixture topic = TopicFixture.of(shard, plain);
    ReadBodies own = shard.store;
    shard.store =
        (body, overlay, cause) -> {
          var found = own.source(body, overlay, cause);
          return found == null ? others.source(body, overlay, cause) : found;
        };
    for (int i = 0; i < subscriptions; i++) {
      if (subscriptions == 1) {
        topic.subscription("red", TopicFixture.rule("red", "colour = 'red'"));
      } else {
        topic.subscription("all" + i);
      }
    }
    long[] times = new long[count];
    Arrays.fill(times, due);
    TopicFixture.Message[] messages = new TopicFixture.Message[count];
    Arrays.fill(messages, TopicFixture.Message.plain());
    topic.schedule(times, messages);
    return () -> topic.topic.counts().scheduled() == 0;
  }

  private BooleanSupplier idle(QueueDefinition plain, int count, Duration later) {
    long idle = ofMinutes(5).plus(later).toMillis();
    for (int i = 0; i < count; i++) {
      QueueFixture.of(
          shard, plain.with().path(plain.path() + i).autoDeleteOnIdleMillis(idle).done());
    }
    return () ->
        shard.machine.queues().stream()
            .noneMatch(entry -> entry.definition().path().startsWith(plain.path()));
  }

  private BooleanSupplier sessions(Work work, QueueDefinition plain, int count, Duration later) {
    long duration = 5_000 + later.toMillis();
    QueueFixture queue =
        QueueFixture.of(shard, plain.with().lockDurationMillis(duration).done().withSession(true));
    if (work == Work.WAITING_FOR_SESSIONS) {
      List<Consumer> waiting =
          Stream.generate(() -> queue.accepts(null, ofSeconds(5).plus(later)))
              .limit(count)
              .toList();
      return () -> waiting.stream().noneMatch(each -> each.refusal() == null);
    }
    if (work == Work.SESSIONS) {
      for (int i = 0; i < Math.min(count, 100); i++) {
        queue.accepts("s" + i, ZERO);
      }
      return () -> queueState(queue).locked() == 0;
    }
    int messages = count == 1 ? 1 : 12 * SessionEnding.SLICE;
    queue.sendTo(Collections.nCopies(messages, "a").toArray(new String[0]));
    queue.accepts("a", ZERO).wants(messages);
    return () -> queue.counts().locked() == 0;
  }

  private SessionTable queueState(QueueFixture queue) {
    return Objects.requireNonNull(shard.machine.state().known(queue.id).sessions());
  }

  /** What the shard does in one step with what is due. */
  private Decision tick() {
    Decision decision = shard.machine.tick(shard.stamp(), ReadBodies.NONE);
    if (decision.needs().length > 0) {
      shard.take(shard.machine.tick(shard.stamp(), null));
      decision = shard.machine.tick(shard.stamp(), shard.store);
    }
    shard.take(decision);
    return decision;
  }

  @ParameterizedTest
  @MethodSource("pairs")
  @Rule({"I-42", "S-033", "S-151", "S-168", "S-307"})
  void whatIsDueIsDoneSoonWhateverElseIsDue(Work flood, Work one) {
    shard.checkEveryStep = false;
    BooleanSupplier done = prepare(one, "one", 1, ofSeconds(2));
    BooleanSupplier flooded = prepare(flood, "flood", 20_000, ofSeconds(1));
    shard.passes(ofMinutes(6));

    for (int i = 0; i < SOON && !done.getAsBoolean(); i++) {
      tick();
    }

    assertThat(done.getAsBoolean()).as("what is one").isTrue();
    assertThat(flooded.getAsBoolean()).as("there is still a flood").isFalse();
  }

  @Test
  @Rule("I-42")
  void oneDecisionStaysWithinItsBoundWithFloodsOfAllKindsInManyQueues() {
    shard.checkEveryStep = false;
    for (int i = 0; i < 4; i++) {
      for (Work work : List.of(Work.LOCKS, Work.EXPIRIES, Work.SCHEDULES, Work.ENDING_SESSIONS)) {
        prepare(work, "q" + work + i, 2_000, ofSeconds(1));
      }
    }
    shard.passes(ofMinutes(6));

    Decision decision = tick();

    assertThat(freed(decision, true)).isBetween(1L, (long) SessionEnding.SLICE);
    long others = freed(decision, false) + rows(decision);
    assertThat(others).isBetween(TickHandler.SLICE / 2L, (long) TickHandler.SLICE);
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

  private static long rows(Decision decision) {
    return decision.facts().stream()
        .mapToLong(
            fact ->
                switch (fact) {
                  case Fact.Expired expired -> expired.sequenceNumbers().length;
                  case Fact.Activated activated -> activated.sequenceNumbers().length;
                  default -> 0;
                })
        .sum();
  }

  @Test
  @Rule({"I-42", "S-241", "S-128"})
  void inOneQueueTooNoneWaitsForAllTheOthers() {
    shard.checkEveryStep = false;
    QueueFixture queue =
        QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(5)).withSession(true));
    int messages = 6 * SessionEnding.SLICE;
    queue.sendTo(Collections.nCopies(messages, "large").toArray(new String[0]));
    Consumer large = queue.accepts("large", ZERO).wants(messages);
    shard.passes(ofSeconds(1));
    Consumer small = queue.accepts("small", ZERO);
    Consumer waits = queue.accepts(null, ofSeconds(4));
    shard.passes(ofSeconds(6));

    tick();
    tick();

    assertThat(large.lostItsSession()).isTrue();
    assertThat(small.lostItsSession()).isTrue();
    assertThat(waits.refusal()).isEqualTo(new Refusal.Timeout());
    assertThat(queue.counts().locked()).isPositive();
    shard.tickWhileDue();
    assertThat(queue.counts().locked()).isZero();
  }

  @Test
  @Rule({"S-156", "I-42"})
  void whatWasReadIsUsedBeforeAnythingElseHasItsTurn() {
    shard.checkEveryStep = false;
    BooleanSupplier published = prepare(Work.TOPICS, "events", 1, ofSeconds(1));
    prepare(Work.DELETED, "gone", 20_000, ofSeconds(1));
    shard.passes(ofSeconds(2));
    assertThat(shard.machine.tick(shard.stamp(), ReadBodies.NONE).needs()).isNotEmpty();
    Decision meanwhile = shard.machine.tick(shard.stamp(), null);
    assertThat(meanwhile.facts()).hasOnlyElementsOfType(EntityFact.Deleted.class);
    shard.take(meanwhile);

    shard.take(shard.machine.tick(shard.stamp(), shard.store));

    assertThat(published.getAsBoolean()).isTrue();
  }
}

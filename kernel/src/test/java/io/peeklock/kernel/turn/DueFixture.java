package io.peeklock.kernel.turn;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.administration.EmptyNamespaceHandler;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.deliver.ReceiverEnding;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.session.SessionEnding;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SessionTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The language in which tests tell of what time, or an earlier request, wants done. */
public final class DueFixture {

  private static final int FLOOD = 20_000;

  private final ShardFixture shard;
  private final List<FetchedBodies> stores = new ArrayList<>(); // of topics

  public DueFixture(ShardFixture shard) {
    this.shard = shard;
    shard.checkEveryStep = false;
  }

  /** What a tick may have to do. */
  public enum Work {
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

  /** Prepares so much of some work; the answer says whether all of it is done. */
  public BooleanSupplier prepare(Work work, String name, int count, Duration later) {
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
    QueueFixture queue = QueueFixture.of(shard, plain.with().lockDurationMillis(duration).build());
    queue.send(count);
    queue.peekLock(count);
    return () -> queue.counts().locked() == 0;
  }

  private BooleanSupplier expiries(QueueDefinition plain, int count, Duration later) {
    long life = later.toMillis() + 1;
    QueueFixture queue = QueueFixture.of(shard, plain.with().defaultTimeToLiveMillis(life).build());
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
    return () -> shard.machine.state().departing.isEmpty();
  }

  public void delete(String path) {
    shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), path));
  }

  /** Messages that are due in a topic; with one subscription its rule must look at them. */
  BooleanSupplier topic(QueueDefinition plain, int subscriptions, int count, long due) {
    TopicFixture topic = TopicFixture.of(shard, plain);
    stores.add(shard.store);
    shard.store = this::source;
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
    String backlog = QueueRole.Transfers.path(plain.path(), plain.path());
    return () -> topic.topic.counts().scheduled() == 0 && !holds(backlog);
  }

  /** Whether messages are active and wait for copies. */
  private boolean holds(String backlog) {
    QueueState waiting = shard.machine.state().queue(backlog);
    return waiting != null && waiting.holds();
  }

  private @Nullable MessageView source(long bodyId, long overlayId, DeadLetterCause cause) {
    for (FetchedBodies store : stores) {
      MessageView found = store.source(bodyId, overlayId, cause);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private BooleanSupplier idle(QueueDefinition plain, int count, Duration later) {
    long idle = ofMinutes(5).plus(later).toMillis();
    for (int i = 0; i < count; i++) {
      QueueFixture.of(
          shard, plain.with().path(plain.path() + i).autoDeleteOnIdleMillis(idle).build());
    }
    return () ->
        shard.machine.queues().stream()
            .noneMatch(entry -> entry.definition().path().startsWith(plain.path()));
  }

  private BooleanSupplier sessions(Work work, QueueDefinition plain, int count, Duration later) {
    long duration = 5_000 + later.toMillis();
    QueueFixture queue =
        QueueFixture.of(shard, plain.with().lockDurationMillis(duration).build().withSession(true));
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
    int messages = count < FLOOD ? count : 12 * SessionEnding.SLICE;
    queue.sendTo(Collections.nCopies(messages, "a").toArray(new String[0]));
    queue.accepts("a", ZERO).wants(messages);
    return () -> queue.counts().locked() == 0;
  }

  private SessionTable queueState(QueueFixture queue) {
    return Objects.requireNonNull(shard.machine.state().known(queue.id).sessions());
  }

  /** What the shard does in one step with what is due. */
  Decision tick() {
    Decision decision = shard.machine.tick(shard.stamp(), FetchedBodies.NONE);
    if (decision.needs().length > 0) {
      shard.take(shard.machine.tick(shard.stamp(), null));
      decision = shard.machine.tick(shard.stamp(), shard.store);
    }
    shard.take(decision);
    return decision;
  }
}

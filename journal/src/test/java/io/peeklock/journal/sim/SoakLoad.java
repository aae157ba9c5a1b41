package io.peeklock.journal.sim;

import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.BodyStorage;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.Snapshots;
import io.peeklock.runtime.StagedBodies;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Much traffic of which little stays: most messages are completed at once, one in a hundred is
 * deferred and completed much later, one in a thousand is abandoned for ever.
 */
public final class SoakLoad implements Log.Listener, Log.Replay, BodyStorage.LoadListener {
  private static final QueueId ORDERS = new QueueId(1);
  private static final QueueId DEAD_LETTERS = new QueueId(2);
  private static final int BATCH = 10;
  private static final int LEAST_BYTES = 200;

  private final Random chance = new Random(11);
  private final int deferredFor;
  private final TreeSet<Long> living = new TreeSet<>();
  private final ArrayDeque<Long> deferred = new ArrayDeque<>();
  private Machine machine = new Machine();
  private @Nullable Journal journal;
  private @Nullable BodyArena arena;
  private @Nullable Snapshot snapshot;
  private Snapshots.@Nullable CheckpointSink sink;
  private @Nullable Bodies loaded;
  private long lastIndex;
  private long term;
  private long lastNumber;
  private long liveBytes;

  /** Messages that are deferred come back after so many others. */
  public SoakLoad(int deferredFor) {
    this.deferredFor = deferredFor;
  }

  /** The id of a message's body is its number here. */
  private static int lengthOf(long number) {
    return LEAST_BYTES + (int) (number * 7919 % 1_600);
  }

  public void on(Journal next) throws IOException {
    journal = next;
    machine = new Machine();
    snapshot = null;
    sink = null;
    var standing = next.recover(this, this);
    lastIndex = standing.lastIndex();
    term = standing.term();
    arena = next.newArena();
    if (lastIndex == 0) {
      append(
          List.of(new Fact.QueueCreated(ORDERS, DEAD_LETTERS, QueueDefinition.named("orders"), 0)),
          List.of());
    }
  }

  /** Sends some, and settles those that were sent before. */
  public void step() {
    var first = lastNumber + 1;
    var sizes = new int[BATCH];
    var place = Objects.requireNonNull(arena);
    place.begin();
    for (var i = 0; i < BATCH; i++) {
      sizes[i] = lengthOf(first + i);
      place.reserve(sizes[i]).put(Story.bytesOf(first + i, sizes[i]));
      place.commit();
      living.add(first + i);
      liveBytes += BodyRun.CHECK_BYTES + sizes[i];
    }
    append(
        List.of(new Fact.Enqueued(ORDERS, first, first, 1_000, sizes, sizes.clone(), null)),
        List.of(place.end()));
    lastNumber += BATCH;
    settle(first);
  }

  private void settle(long first) {
    var done = new long[BATCH];
    var count = 0;
    for (var number = first; number < first + BATCH; number++) {
      if (number % 1_000 == 500) {
        append(List.of(new Fact.Abandoned(ORDERS, new long[] {number}, null)), List.of());
      } else if (number % 100 == 0) {
        append(List.of(new Fact.Deferred(ORDERS, new long[] {number}, null)), List.of());
        deferred.add(number);
      } else {
        done[count++] = number;
      }
    }
    complete(Arrays.copyOf(done, count));
    while (!deferred.isEmpty() && deferred.element() < lastNumber - deferredFor) {
      complete(new long[] {deferred.remove()});
    }
  }

  private void complete(long[] numbers) {
    for (var number : numbers) {
      living.remove(number);
      liveBytes -= BodyRun.CHECK_BYTES + lengthOf(number);
    }
    append(List.of(new Fact.Completed(ORDERS, numbers)), List.of());
  }

  private void append(List<Fact> facts, List<StagedBodies> bodies) {
    var log = Objects.requireNonNull(journal);
    var firstBody = machine.nextBodyId();
    var index = lastIndex + 1;
    facts.forEach(fact -> machine.apply(index, fact));
    log.append(
        new Batch(
            term,
            index,
            lastIndex,
            1_000 + index,
            facts,
            firstBody,
            bodies,
            machine.takeDeadBodies()));
    lastIndex = index;
  }

  /** What the shard does in a step. */
  public void checkpoint() {
    var log = Objects.requireNonNull(journal);
    if (log.needsNoopBatch()) {
      append(List.of(), List.of());
    }
    var to = sink;
    var from = snapshot;
    if (to == null || from == null) {
      sink = log.beginCheckpoint(() -> {});
      snapshot = sink == null ? null : machine.beginSnapshot();
    } else if (to.hasRoom()) {
      var part = from.next();
      if (part.isEmpty()) {
        from.end();
        to.complete();
        sink = null;
        snapshot = null;
      } else {
        to.add(part);
      }
    }
  }

  /** Living bodies, each with its checksum. */
  public long liveBytes() {
    return liveBytes;
  }

  public long sent() {
    return lastNumber;
  }

  public Journal journal() {
    return Objects.requireNonNull(journal);
  }

  /** Some of the living bodies are what was sent. */
  public void check(SimExecutors executors) {
    var ids = living.stream().filter(id -> chance.nextInt(10) == 0).mapToLong(id -> id).toArray();
    for (var from = 0; from < ids.length; from += 100) {
      var some = Arrays.copyOfRange(ids, from, Math.min(ids.length, from + 100));
      var bodies = journal().fetch(some, this);
      executors.settle();
      var come = Objects.requireNonNull(bodies == null ? loaded : bodies);
      for (var i = 0; i < some.length; i++) {
        var actual = new byte[come.length(i)];
        come.buffer(i).get(come.offset(i), actual);
        if (!Arrays.equals(actual, Story.bytesOf(some[i], lengthOf(some[i])))) {
          throw new AssertionError("body " + some[i] + " is another one");
        }
      }
      come.release();
    }
  }

  @Override
  public void ended() {
    Objects.requireNonNull(journal).forget(machine.takeDeadBodies());
  }

  @Override
  public void restored(long index, List<Fact> part) {
    part.forEach(fact -> machine.apply(index, fact));
  }

  @Override
  public void batch(long index, long predecessor, long timeMillis, List<Fact> facts) {
    facts.forEach(fact -> machine.apply(index, fact));
  }

  @Override
  public void durable(long index) {}

  @Override
  public void lostLeadership() {
    throw new AssertionError("a local log leads for ever");
  }

  @Override
  public void failed(IOException cause) {
    throw new AssertionError(cause);
  }

  @Override
  public void loaded(Bodies bodies) {
    loaded = bodies;
  }

  @Override
  public void unreadable(long bodyId, IOException cause) {
    throw new AssertionError("body " + bodyId, cause);
  }
}

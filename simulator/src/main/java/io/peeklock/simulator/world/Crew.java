package io.peeklock.simulator.world;

import io.peeklock.journal.JournalExecutors;
import io.peeklock.runtime.ShardExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** All threads of one process on the one thread of the simulator; chance says who goes next. */
final class Crew implements JournalExecutors, ShardExecutor {
  private static final List<Lane> OF_JOURNAL =
      List.of(Lane.COMPACTION, Lane.CHECKPOINTS, Lane.LOG, Lane.FILES, Lane.READS);

  private final SimTime time;
  private final Map<Lane, ArrayDeque<Runnable>> tasks = new EnumMap<>(Lane.class);
  private final Map<Lane, Long> heldUntil = new EnumMap<>(Lane.class);
  private final List<Lane> busy = new ArrayList<>();
  private boolean left;

  Crew(SimTime time) {
    this.time = time;
    for (var lane : Lane.values()) {
      tasks.put(lane, new ArrayDeque<>());
      heldUntil.put(lane, 0L);
    }
  }

  private ArrayDeque<Runnable> of(Lane lane) {
    return Objects.requireNonNull(tasks.get(lane));
  }

  void add(Lane lane, Runnable task) {
    of(lane).add(task);
  }

  /** This thread does nothing for a while. */
  void hold(Lane lane, long millis) {
    heldUntil.put(lane, time.monotonicMillis() + millis);
  }

  /** Everybody goes on. */
  void holdNobody() {
    heldUntil.replaceAll((lane, until) -> 0L);
  }

  private long heldUntil(Lane lane) {
    return Objects.requireNonNull(heldUntil.get(lane));
  }

  /** When a thread goes on that has something to do and is held; never is far away. */
  long nextReleaseMillis() {
    var next = Long.MAX_VALUE;
    for (var lane : Lane.values()) {
      var until = heldUntil(lane);
      if (until > time.monotonicMillis() && !of(lane).isEmpty()) {
        next = Math.min(next, until);
      }
    }
    return next;
  }

  /** One task of a thread that chance takes; which thread, or null when nobody has one. */
  @Nullable Lane step(Chance chance) {
    busy.clear();
    for (var lane : Lane.values()) {
      if (!of(lane).isEmpty() && heldUntil(lane) <= time.monotonicMillis()) {
        busy.add(lane);
      }
    }
    if (busy.isEmpty()) {
      return null;
    }
    var next = busy.size() == 1 ? busy.getFirst() : chance.of(busy);
    of(next).remove().run();
    return next;
  }

  private void later(Lane lane, long millis, Runnable task) {
    time.alarm(
        millis,
        () -> {
          if (!left || lane == Lane.SHARD) {
            add(lane, task);
          }
        });
  }

  @Override
  public void execute(Runnable task) {
    add(Lane.SHARD, task);
  }

  @Override
  public void executeLater(long millis, Runnable task) {
    later(Lane.SHARD, millis, task);
  }

  @Override
  public void log(Runnable task) {
    add(Lane.LOG, task);
  }

  @Override
  public void logLater(long millis, Runnable task) {
    later(Lane.LOG, millis, task);
  }

  @Override
  public void reads(Runnable task) {
    add(Lane.READS, task);
  }

  @Override
  public void files(Runnable task) {
    add(Lane.FILES, task);
  }

  @Override
  public void checkpoints(Runnable task) {
    add(Lane.CHECKPOINTS, task);
  }

  @Override
  public void compaction(Runnable task) {
    add(Lane.COMPACTION, task);
  }

  @Override
  public void compactionLater(long millis, Runnable task) {
    later(Lane.COMPACTION, millis, task);
  }

  @Override
  public long nanoTime() {
    return time.monotonicMillis() * 1_000_000;
  }

  @Override
  public void leave() {
    left = true;
    for (var again = true; again; ) {
      again = false;
      for (var lane : OF_JOURNAL) {
        var next = of(lane).poll();
        if (next != null) {
          next.run();
          again = true;
        }
      }
    }
  }
}

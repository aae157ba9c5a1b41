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

/** All threads of one process on the one thread of the simulator; random says who goes next. */
final class SimScheduler implements JournalExecutors, ShardExecutor {
  private static final List<SimThread> JOURNAL_THREADS =
      List.of(
          SimThread.COMPACTION,
          SimThread.CHECKPOINTS,
          SimThread.LOG,
          SimThread.FILES,
          SimThread.READS);

  private final SimTime time;
  private final Map<SimThread, ArrayDeque<Runnable>> tasks = new EnumMap<>(SimThread.class);
  private final Map<SimThread, Long> heldUntil = new EnumMap<>(SimThread.class);
  private final List<SimThread> busy = new ArrayList<>();
  private boolean left;

  SimScheduler(SimTime time) {
    this.time = time;
    for (var thread : SimThread.values()) {
      tasks.put(thread, new ArrayDeque<>());
      heldUntil.put(thread, 0L);
    }
  }

  private ArrayDeque<Runnable> of(SimThread thread) {
    return Objects.requireNonNull(tasks.get(thread));
  }

  void add(SimThread thread, Runnable task) {
    of(thread).add(task);
  }

  /** This thread does nothing for a while. */
  void hold(SimThread thread, long millis) {
    heldUntil.put(thread, time.monotonicMillis() + millis);
  }

  /** Everybody goes on. */
  void holdNobody() {
    heldUntil.replaceAll((thread, until) -> 0L);
  }

  private long heldUntil(SimThread thread) {
    return Objects.requireNonNull(heldUntil.get(thread));
  }

  /** When a thread goes on that has something to do and is held; never is far away. */
  long nextReleaseMillis() {
    var next = Long.MAX_VALUE;
    for (var thread : SimThread.values()) {
      var until = heldUntil(thread);
      if (until > time.monotonicMillis() && !of(thread).isEmpty()) {
        next = Math.min(next, until);
      }
    }
    return next;
  }

  /**
   * One task of a thread that random takes; which thread, or null when nobody has one.
   *
   * @param urgent who goes first if it can; null for nobody
   */
  @Nullable SimThread step(RandomSource random, @Nullable SimThread urgent) {
    if (urgent != null && isReady(urgent)) {
      of(urgent).remove().run();
      return urgent;
    }
    busy.clear();
    for (var thread : SimThread.values()) {
      if (isReady(thread)) {
        busy.add(thread);
      }
    }
    if (busy.isEmpty()) {
      return null;
    }
    var next = busy.size() == 1 ? busy.getFirst() : random.of(busy);
    of(next).remove().run();
    return next;
  }

  private boolean isReady(SimThread thread) {
    return !of(thread).isEmpty() && heldUntil(thread) <= time.monotonicMillis();
  }

  void later(SimThread thread, long millis, Runnable task) {
    time.alarm(
        millis,
        () -> {
          if (!left || thread == SimThread.SHARD) {
            add(thread, task);
          }
        });
  }

  @Override
  public void execute(Runnable task) {
    add(SimThread.SHARD, task);
  }

  @Override
  public void executeLater(long millis, Runnable task) {
    later(SimThread.SHARD, millis, task);
  }

  @Override
  public void log(Runnable task) {
    add(SimThread.LOG, task);
  }

  @Override
  public void logLater(long millis, Runnable task) {
    later(SimThread.LOG, millis, task);
  }

  @Override
  public void reads(Runnable task) {
    add(SimThread.READS, task);
  }

  @Override
  public void files(Runnable task) {
    add(SimThread.FILES, task);
  }

  @Override
  public void checkpoints(Runnable task) {
    add(SimThread.CHECKPOINTS, task);
  }

  @Override
  public void compaction(Runnable task) {
    add(SimThread.COMPACTION, task);
  }

  @Override
  public void compactionLater(long millis, Runnable task) {
    later(SimThread.COMPACTION, millis, task);
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
      for (var thread : JOURNAL_THREADS) {
        var next = of(thread).poll();
        if (next != null) {
          next.run();
          again = true;
        }
      }
    }
  }
}

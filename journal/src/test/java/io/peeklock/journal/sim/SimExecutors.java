package io.peeklock.journal.sim;

import io.peeklock.journal.JournalExecutors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/**
 * All threads of a journal and the shard's thread on the one thread of a test, which says who goes
 * next.
 */
public final class SimExecutors implements JournalExecutors {
  private final ArrayDeque<Runnable> shardExecutor = new ArrayDeque<>();
  private final ArrayDeque<Runnable> log = new ArrayDeque<>();
  private final ArrayDeque<Runnable> reads = new ArrayDeque<>();
  private final ArrayDeque<Runnable> files = new ArrayDeque<>();
  private final ArrayDeque<Runnable> checkpoints = new ArrayDeque<>();
  private final ArrayDeque<Runnable> compaction = new ArrayDeque<>();
  private final List<Later> later = new ArrayList<>();
  private long nanos;

  /** A task for a moment to come. */
  private record Later(long nanos, Runnable task) {}

  public Executor shardExecutor() {
    return shardExecutor::add;
  }

  /** Runs one task of a thread chosen by chance; false when nobody has one. */
  public boolean step(Random chance) {
    var busy =
        List.of(shardExecutor, log, reads, files, checkpoints, compaction).stream()
            .filter(queue -> !queue.isEmpty())
            .toList();
    if (busy.isEmpty()) {
      return false;
    }
    busy.get(chance.nextInt(busy.size())).remove().run();
    return true;
  }

  /** Runs until nobody has anything to do. */
  public void settle() {
    var busy = true;
    while (busy) {
      busy =
          runOne(shardExecutor)
              || runOne(log)
              || runOne(reads)
              || runOne(files)
              || runOne(checkpoints)
              || runOne(compaction);
    }
  }

  /** The same, but nobody reads a body. */
  public void settleWithoutReads() {
    var busy = true;
    while (busy) {
      busy =
          runOne(shardExecutor)
              || runOne(log)
              || runOne(files)
              || runOne(checkpoints)
              || runOne(compaction);
    }
  }

  /** The log's thread alone does what it has. */
  public void settleLog() {
    var busy = true;
    while (busy) {
      busy = runOne(log);
    }
  }

  private static boolean runOne(ArrayDeque<Runnable> queue) {
    var next = queue.poll();
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  /** Lets ten seconds pass, and everybody work. */
  public void pass() {
    ring();
    settle();
  }

  /** Lets this much time pass, and everybody work. */
  public void pass(long millis) {
    ring(millis);
    settle();
  }

  /** As {@link #pass()}, but nobody reads a body. */
  public void passWithoutReads() {
    ring();
    settleWithoutReads();
  }

  /** Lets ten seconds pass; what is due then waits for its turn. */
  public void ring() {
    ring(10_000);
  }

  private void ring(long millis) {
    nanos += millis * 1_000_000;
    var due = later.stream().filter(task -> task.nanos <= nanos).toList();
    later.removeAll(due);
    due.forEach(task -> task.task.run());
  }

  private void later(long millis, Runnable task) {
    later.add(new Later(nanos + millis * 1_000_000, task));
  }

  @Override
  public void log(Runnable task) {
    log.add(task);
  }

  @Override
  public void logLater(long millis, Runnable task) {
    later(millis, () -> log.add(task));
  }

  @Override
  public void reads(Runnable task) {
    reads.add(task);
  }

  @Override
  public void files(Runnable task) {
    files.add(task);
  }

  @Override
  public void checkpoints(Runnable task) {
    checkpoints.add(task);
  }

  @Override
  public void compaction(Runnable task) {
    compaction.add(task);
  }

  @Override
  public void compactionLater(long millis, Runnable task) {
    later(millis, () -> compaction.add(task));
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public void leave() {
    later.clear();
    var busy = true;
    while (busy) {
      busy =
          runOne(compaction)
              || runOne(checkpoints)
              || runOne(log)
              || runOne(files)
              || runOne(reads);
    }
  }
}

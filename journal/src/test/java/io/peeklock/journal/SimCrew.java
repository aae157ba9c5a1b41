package io.peeklock.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/**
 * All threads of a journal and the shard's home on the one thread of a test, which says who goes
 * next.
 */
final class SimCrew implements Crew {
  private final ArrayDeque<Runnable> home = new ArrayDeque<>();
  private final ArrayDeque<Runnable> log = new ArrayDeque<>();
  private final ArrayDeque<Runnable> reads = new ArrayDeque<>();
  private final ArrayDeque<Runnable> files = new ArrayDeque<>();
  private final List<Runnable> later = new ArrayList<>();
  private long nanos;

  Executor home() {
    return home::add;
  }

  /** Runs one task of a thread chosen by chance; false when nobody has one. */
  boolean step(Random chance) {
    var busy = List.of(home, log, reads, files).stream().filter(queue -> !queue.isEmpty()).toList();
    if (busy.isEmpty()) {
      return false;
    }
    busy.get(chance.nextInt(busy.size())).remove().run();
    return true;
  }

  /** Runs until nobody has anything to do. */
  void settle() {
    var busy = true;
    while (busy) {
      busy = runOne(home) || runOne(log) || runOne(reads) || runOne(files);
    }
  }

  private static boolean runOne(ArrayDeque<Runnable> queue) {
    var next = queue.poll();
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  /** Lets all pauses pass. */
  void pass() {
    nanos += 10_000_000_000L;
    var due = List.copyOf(later);
    later.clear();
    due.forEach(log::add);
    settle();
  }

  @Override
  public void log(Runnable task) {
    log.add(task);
  }

  @Override
  public void logLater(long millis, Runnable task) {
    later.add(task);
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
  public long nanoTime() {
    return nanos;
  }

  @Override
  public void leave() {
    later.clear();
    var busy = true;
    while (busy) {
      busy = runOne(log) || runOne(files) || runOne(reads);
    }
  }
}

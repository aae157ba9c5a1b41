package io.peeklock.transport;

import io.netty.util.concurrent.EventExecutor;
import io.peeklock.runtime.meter.DurationMeter;
import io.peeklock.runtime.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Notices how long event loops keep the others of their connections waiting: each has a task that
 * is due at a fixed pace, and the time by which it comes late is the time for which nobody on the
 * loop was served.
 */
@AnyThread
public final class LoopWatch {
  private static final long PACE_MILLIS = 100;

  private final List<Beat> beats = new ArrayList<>();

  /** Watches loops until they end. */
  LoopWatch(Iterable<EventExecutor> loops) {
    for (var loop : loops) {
      var beat = new Beat(loop);
      beats.add(beat);
      beat.plan();
    }
  }

  /** How late its task came, one meter for each loop; always the same ones. */
  public List<DurationMeter> delays() {
    return beats.stream().map(beat -> beat.delay).toList();
  }

  /** Completes when every loop has done what it had to do before. */
  public CompletableFuture<Void> allAnswer() {
    return CompletableFuture.allOf(
        beats.stream()
            .map(beat -> CompletableFuture.runAsync(() -> {}, beat.loop))
            .toArray(CompletableFuture[]::new));
  }

  /** The task of one loop. */
  private static final class Beat implements Runnable {
    private final EventExecutor loop;
    private final DurationMeter delay = new DurationMeter();
    private volatile long dueNanos;

    Beat(EventExecutor loop) {
      this.loop = loop;
    }

    void plan() {
      dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PACE_MILLIS);
      var unused = loop.schedule(this, PACE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void run() {
      delay.add(Math.max(0, System.nanoTime() - dueNanos));
      plan();
    }
  }
}

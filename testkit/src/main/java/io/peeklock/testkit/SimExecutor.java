package io.peeklock.testkit;

import io.peeklock.runtime.ShardExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * An executor that runs its tasks when the test says so, on the test's thread, in order. Not for
 * two threads.
 */
public final class SimExecutor implements ShardExecutor {
  private static final int MAX_TASKS = 1_000_000;

  private final SimClock clock;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(Comparator.comparingLong(Alarm::at).thenComparingLong(Alarm::order));
  private long alarmsSet;

  private record Alarm(long at, long order, Runnable task) {}

  /** An executor whose alarms go by this clock. */
  public SimExecutor(SimClock clock) {
    this.clock = clock;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void executeLater(long millis, Runnable task) {
    alarms.add(new Alarm(clock.monotonicMillis() + millis, alarmsSet++, task));
  }

  /**
   * Runs everything that is due, and what comes of it.
   *
   * @throws IllegalStateException when it does not come to rest
   */
  public void settle() {
    for (var run = 0; run < MAX_TASKS; run++) {
      var due = alarms.peek();
      if (due != null && due.at() <= clock.monotonicMillis()) {
        alarms.remove();
        tasks.add(due.task());
      }
      var task = tasks.poll();
      if (task == null) {
        return;
      }
      task.run();
    }
    throw new IllegalStateException("the executor does not come to rest");
  }

  /** Lets time pass, alarm by alarm, and runs what is due. */
  public void advance(Duration time) {
    var end = clock.monotonicMillis() + time.toMillis();
    settle();
    for (var next = alarms.peek(); next != null && next.at() <= end; next = alarms.peek()) {
      clock.advance(Duration.ofMillis(Math.max(0, next.at() - clock.monotonicMillis())));
      settle();
    }
    clock.advance(Duration.ofMillis(end - clock.monotonicMillis()));
    settle();
  }
}

package io.peeklock.simulator.world;

import io.peeklock.runtime.ShardClock;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Both clocks of the machine, and everything that is to happen at a time. */
final class SimTime implements ShardClock {
  private static final long BEGAN = 1_700_000_000_000L;
  private static final long NEVER = Long.MAX_VALUE;

  private final long stepNanos;
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(Comparator.comparingLong(Alarm::at).thenComparingLong(Alarm::order));
  private long monotonicMillis;
  private long wallLeadMillis = BEGAN;
  private long sleptMillis;
  private long movedMillis;
  private long workNanos;
  private long alarmsSet;

  private record Alarm(long at, long order, Runnable task) {}

  /** Time in which each look at how long work takes finds so many nanoseconds more. */
  SimTime(long stepNanos) {
    this.stepNanos = stepNanos;
  }

  @Override
  public long wallMillis() {
    return wallLeadMillis + monotonicMillis;
  }

  @Override
  public long monotonicMillis() {
    return monotonicMillis;
  }

  @Override
  public long sleptMillis() {
    return sleptMillis;
  }

  @Override
  public long workNanos() {
    workNanos += stepNanos;
    return workNanos;
  }

  /** What the clock of the wall would say if nobody had moved it. */
  long steadyMillis() {
    return BEGAN + monotonicMillis;
  }

  /** How far it was moved in all. */
  long movedMillis() {
    return movedMillis;
  }

  /** Somebody sets the clock of the wall; no time passes. */
  void stepWall(long millis) {
    movedMillis += Math.abs(millis);
    wallLeadMillis += millis;
  }

  /** The machine sleeps, and the monotonic clock stands still. */
  void sleep(long millis) {
    movedMillis += millis;
    wallLeadMillis += millis;
    sleptMillis += millis;
  }

  /** The process that set alarms is gone. */
  void forgetAlarms() {
    alarms.clear();
  }

  void alarm(long afterMillis, Runnable task) {
    alarms.add(new Alarm(monotonicMillis + Math.max(0, afterMillis), alarmsSet++, task));
  }

  /** When something is to happen next, by the monotonic clock; never is far away. */
  long nextAlarmMillis() {
    var next = alarms.peek();
    return next == null ? NEVER : next.at();
  }

  /** Goes on to this time, if it is not over, and rings what is due then. */
  void advanceTo(long millis) {
    monotonicMillis = Math.max(monotonicMillis, millis);
    for (var next = alarms.peek();
        next != null && next.at() <= monotonicMillis;
        next = alarms.peek()) {
      alarms.remove();
      next.task().run();
    }
  }
}

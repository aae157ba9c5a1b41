package io.peeklock.testkit;

import io.peeklock.runtime.ShardClock;
import java.time.Duration;

/** Both clocks of a shard, moved by the test alone. Starts at 2026-01-01T00:00:00Z. */
public final class SimClock implements ShardClock {
  private volatile long wallMillis = 1_767_225_600_000L;
  private volatile long monotonicMillis;
  private volatile long sleptMillis;
  private volatile long workNanos;
  private volatile long nanosOfWork;

  @Override
  public long wallMillis() {
    return wallMillis;
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
  public synchronized long workNanos() {
    workNanos += nanosOfWork;
    return workNanos;
  }

  /** From now on each piece of work that is measured takes so long, by no other clock. */
  public synchronized void slowWork(Duration each) {
    nanosOfWork = each.toNanos();
  }

  /** The machine sleeps, and the monotonic clock stands still. */
  public synchronized void sleep(Duration time) {
    wallMillis += time.toMillis();
    sleptMillis += time.toMillis();
  }

  /** Time passes, by both clocks. Whoever sleeps must be woken by the {@link SimExecutor}. */
  public synchronized void advance(Duration time) {
    wallMillis += time.toMillis();
    monotonicMillis += time.toMillis();
  }

  /** Somebody sets the wall clock; no time passes. */
  public synchronized void stepWall(Duration step) {
    wallMillis += step.toMillis();
  }
}

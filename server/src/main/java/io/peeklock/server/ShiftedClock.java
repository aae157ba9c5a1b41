package io.peeklock.server;

import io.peeklock.runtime.ShardClock;

/**
 * A shard's clock that runs ahead of the machine's by as much as tests moved it. Read from any
 * thread; moved on the shard's thread alone, which therefore sees both of its times move at once.
 */
final class ShiftedClock implements ShardClock {
  private final ShardClock machine;
  private volatile long shiftMillis;

  ShiftedClock(ShardClock machine) {
    this.machine = machine;
  }

  /** Moves it forward by milliseconds. */
  void advance(long millis) {
    shiftMillis = Math.addExact(shiftMillis, millis);
  }

  @Override
  public long wallMillis() {
    return machine.wallMillis() + shiftMillis;
  }

  @Override
  public long monotonicMillis() {
    return machine.monotonicMillis() + shiftMillis;
  }

  @Override
  public long workNanos() {
    return machine.workNanos();
  }

  @Override
  public long sleptMillis() {
    return machine.sleptMillis();
  }
}

package io.peeklock.runtime;

import io.peeklock.kernel.Stamp;

/**
 * Reads the clocks once per drain. Shard time starts at the wall clock and follows the monotonic
 * one, bent towards the wall by at most one part in two hundred: never stepped, never below the
 * last durable time.
 */
final class Stamper {
  private static final long SLEW_DIVISOR = 200;

  private final ShardClock clock;
  private long shardMillis;
  private long monotonicMillis;
  private long slewCredit;

  Stamper(ShardClock clock, long lastDurableMillis) {
    this.clock = clock;
    this.shardMillis = Math.max(clock.wallMillis(), lastDurableMillis);
    this.monotonicMillis = clock.monotonicMillis();
  }

  Stamp next(long index) {
    var monotonic = clock.monotonicMillis();
    var elapsed = Math.max(0, monotonic - monotonicMillis);
    monotonicMillis += elapsed;
    slewCredit = Math.min(slewCredit + elapsed, 1_000 * SLEW_DIVISOR);
    shardMillis += elapsed + slew(elapsed);
    return new Stamp(shardMillis, monotonicMillis, index);
  }

  private long slew(long elapsed) {
    var behind = clock.wallMillis() - (shardMillis + elapsed);
    var most = slewCredit / SLEW_DIVISOR;
    var step = Math.max(-Math.min(most, elapsed), Math.min(most, behind));
    if (step != 0) {
      slewCredit -= Math.abs(step) * SLEW_DIVISOR;
    }
    return step;
  }
}

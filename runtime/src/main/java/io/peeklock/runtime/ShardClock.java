package io.peeklock.runtime;

/** The two clocks of a shard (design.md 2, Time). Tests and the simulator own both. */
public interface ShardClock {

  /** UTC milliseconds since 1970 by the wall. May be stepped; the shard evens that out. */
  long wallMillis();

  /** Milliseconds that only the passing of time moves. */
  long monotonicMillis();

  /** Nanoseconds by which a piece of work is measured; only differences mean something. */
  default long workNanos() {
    return monotonicMillis() * 1_000_000;
  }

  /**
   * Milliseconds for which the monotonic clock stood still since this clock was made because the
   * machine slept, as far as the system knows.
   */
  default long sleptMillis() {
    return 0;
  }
}

package io.peeklock.runtime;

/** The two clocks of a shard. Tests and the simulator set both. */
public interface ShardClock {

  /** Wall time, UTC milliseconds since 1970. May be stepped; the shard evens that out. */
  long wallMillis();

  /** Monotonic milliseconds, which only the passing of time moves. */
  long monotonicMillis();

  /** Nanoseconds for measuring work; only differences have a meaning. */
  default long workNanos() {
    return monotonicMillis() * 1_000_000;
  }

  /**
   * For how many milliseconds the monotonic clock stood still since this clock was created, because
   * the machine slept, as far as the system knows.
   */
  default long sleptMillis() {
    return 0;
  }
}

package io.peeklock.runtime.meter;

import java.util.concurrent.atomic.AtomicLong;

/** Counts operations and their durations. One thread writes, any may read. */
public final class DurationMeter {
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();

  /** Adds one operation. */
  public void add(long tookNanos) {
    nanos.lazySet(nanos.getPlain() + tookNanos);
    if (tookNanos > longest.getPlain()) {
      longest.lazySet(tookNanos);
    }
    count.lazySet(count.getPlain() + 1);
  }

  /** The number of operations. */
  public long count() {
    return count.get();
  }

  /** The total duration in nanoseconds. */
  public long nanos() {
    return nanos.get();
  }

  /** The longest duration since the start, in nanoseconds. */
  public long longestNanos() {
    return longest.get();
  }
}

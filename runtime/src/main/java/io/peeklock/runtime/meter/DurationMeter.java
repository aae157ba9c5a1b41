package io.peeklock.runtime.meter;

import java.util.concurrent.atomic.AtomicLong;

/** How often something was done and how long it took. One thread writes, any may read. */
public final class DurationMeter {
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();

  /** It was done once more and took so long. */
  public void add(long tookNanos) {
    nanos.lazySet(nanos.getPlain() + tookNanos);
    if (tookNanos > longest.getPlain()) {
      longest.lazySet(tookNanos);
    }
    count.lazySet(count.getPlain() + 1);
  }

  /** How often. */
  public long count() {
    return count.get();
  }

  /** How long in all. */
  public long nanos() {
    return nanos.get();
  }

  /** How long the longest took since the start. */
  public long longestNanos() {
    return longest.get();
  }
}

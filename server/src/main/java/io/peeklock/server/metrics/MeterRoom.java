package io.peeklock.server.metrics;

import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of the heap the metrics of a namespace's entities may take: each value that is shown
 * weighs {@link #BYTES}, with its part of the pages.
 */
@AnyThread
public final class MeterRoom {
  /** Of one value: in the registry, in what a page is made of, and in the pages that are read. */
  static final long BYTES = 1_408;

  private final long most;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  /** Room for so many bytes. */
  public MeterRoom(long most) {
    this.most = most;
  }

  /** One thread at a time takes. */
  boolean take(int values) {
    if (taken.get() + values * BYTES > most) {
      refused.incrementAndGet();
      return false;
    }
    taken.addAndGet(values * BYTES);
    return true;
  }

  void give(int values) {
    taken.addAndGet(-values * BYTES);
  }

  /** What is taken now, and may be. */
  public BudgetUse use() {
    return new BudgetUse("metrics", taken.get(), most, refused.get());
  }
}

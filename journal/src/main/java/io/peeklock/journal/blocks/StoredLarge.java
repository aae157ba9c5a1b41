package io.peeklock.journal.blocks;

import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.thread.AnyThread;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A complete large body. It is held by the edge that staged it, then by the log, and by every
 * reader; the last release removes it.
 */
@AnyThread
public abstract class StoredLarge implements LargeBody.Staged {
  private final long length;
  private final AtomicInteger holders = new AtomicInteger(1);

  public StoredLarge(long length) {
    this.length = length;
  }

  @Override
  public final long length() {
    return length;
  }

  /** Adds a reference; the body must have one. */
  public final void retain() {
    Invariant.check(holders.getAndIncrement() > 0, "a large body that is gone is not pinned");
  }

  @Override
  public final void release() {
    var left = holders.decrementAndGet();
    Invariant.check(left >= 0, "a large body is given back once");
    if (left == 0) {
      remove();
    }
  }

  /** Releases its staged bytes, as it is part of a batch now. */
  public abstract void logged();

  /** Removes it, as the last reference is gone. */
  public abstract void remove();

  /** A new pin for one reader. */
  public abstract LargeBody pin();
}

package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.DeadlineHeap;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one queue by their deadlines. A new lock usually ends last, so they are a list whose
 * links are in the {@link LockTable}. Locks that end before existing ones, because the lock
 * duration was shortened or a transaction released them, are in a separate heap.
 */
public final class DeadlineList {

  int head = LockTable.NONE;
  int tail = LockTable.NONE;
  @Nullable DeadlineHeap early; // none until one is needed
  private int count;
  private int enlisted;

  /** The number of locks, including those that transactions keep. */
  public int count() {
    return count + enlisted;
  }

  /**
   * The number of locks that transactions keep; they are not in the order, as they do not lapse.
   */
  public int enlisted() {
    return enlisted;
  }

  void add(int change) {
    count += change;
  }

  /** Changes the number of locks that transactions keep. */
  public void enlisted(int change) {
    enlisted += change;
  }
}

package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.DeadlineHeap;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one queue by their deadlines. Each new one is mostly the last, so they are a list
 * whose links are in the {@link LockTable}. Those that end before others that were there already,
 * because the lock duration was shortened or a transaction gave them back, are in a heap beside it.
 */
public final class DeadlineList {

  int head = LockTable.NONE;
  int tail = LockTable.NONE;
  @Nullable DeadlineHeap early; // none until one is needed
  private int count;
  private int enlisted;

  /** How many locks, those among them that transactions keep. */
  public int count() {
    return count + enlisted;
  }

  /** How many locks transactions keep: they are not in the order, as they do not lapse. */
  public int enlisted() {
    return enlisted;
  }

  void add(int change) {
    count += change;
  }

  public void enlisted(int change) {
    enlisted += change;
  }
}

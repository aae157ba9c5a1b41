package io.peeklock.kernel.queue;

/** The locks of one queue in order of their deadlines; the links are in the {@link LockTable}. */
final class DeadlineList {

  int head = LockTable.NONE;
  int tail = LockTable.NONE;
  private int count;
  private int enlisted;

  /** How many locks, those among them that transactions keep. */
  int count() {
    return count + enlisted;
  }

  /** How many locks transactions keep: they are not in the order, as they do not lapse. */
  int enlisted() {
    return enlisted;
  }

  void add(int change) {
    count += change;
  }

  void enlisted(int change) {
    enlisted += change;
  }
}

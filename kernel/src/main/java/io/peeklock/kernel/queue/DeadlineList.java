package io.peeklock.kernel.queue;

/** The locks of one queue in order of their deadlines; the links are in the {@link LockTable}. */
final class DeadlineList {

  int head = LockTable.NONE;
  int tail = LockTable.NONE;
  private int count;

  /** How many locks. */
  int count() {
    return count;
  }

  void add(int change) {
    count += change;
  }
}

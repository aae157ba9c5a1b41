package io.peeklock.kernel.state;

/**
 * How many of all locks one queue may have (I-46). The last eighth is for queues that have few:
 * each may have a small part of what is left of it, so that receivers that settle nothing leave
 * some for others. Each queue may have at least one, so some two hundred queues can use up all.
 */
final class LockShare {
  private static final int KEPT_PART = 8;
  private static final int QUEUE_PART = 32;

  private LockShare() {}

  /**
   * How many more locks a queue may take that has {@code has}, of {@code most} in all with {@code
   * room} left.
   */
  static int more(int most, int room, int has) {
    int forAll = Math.max(0, room - most / KEPT_PART);
    int ofKept = Math.max(0, ofKept(most, room) - has - forAll);
    return Math.min(Math.max(0, room), forAll + ofKept);
  }

  /** The largest number of locks with which a queue may take another; below 0 when none may. */
  static int mostForMore(int most, int room) {
    return room > most / KEPT_PART ? Integer.MAX_VALUE : ofKept(most, room) - 1;
  }

  private static int ofKept(int most, int room) {
    return room <= 0 ? 0 : Math.max(1, Math.min(room, most / KEPT_PART) / QUEUE_PART);
  }
}

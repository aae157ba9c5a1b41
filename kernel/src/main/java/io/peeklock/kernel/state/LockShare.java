package io.peeklock.kernel.state;

/**
 * How much of all locks one queue may have (I-46). The last eighth is for those that have few: each
 * may have as many as a small part of what is left of it, so that whoever settles nothing leaves
 * some to the next; each of them has one at least, so that some two hundred queues have all.
 */
final class LockShare {
  private static final int KEPT_PART = 8;
  private static final int QUEUE_PART = 32;

  private LockShare() {}

  /** How many more a queue may have that has so many, where there are most locks, and room left. */
  static int more(int most, int room, int has) {
    int forAll = Math.max(0, room - most / KEPT_PART);
    int ofKept = Math.max(0, ofKept(most, room) - has - forAll);
    return Math.min(Math.max(0, room), forAll + ofKept);
  }

  /** The most locks with which a queue gets another one; below 0 for none. */
  static int mostForMore(int most, int room) {
    return room > most / KEPT_PART ? Integer.MAX_VALUE : ofKept(most, room) - 1;
  }

  private static int ofKept(int most, int room) {
    return room <= 0 ? 0 : Math.max(1, Math.min(room, most / KEPT_PART) / QUEUE_PART);
  }
}

package io.peeklock.kernel.queue;

/**
 * Which message of a burst came last with which message id, by the hashes of the burst. Open
 * addressing; at most half of the places are taken.
 */
final class IdsOfBurst {

  /** No message with this id came before. */
  static final int NONE = -1;

  private final long[] hashes;
  private final int[] last; // the number of a message, plus 1; 0 for none

  /** Nothing of these hashes, two for each message. */
  IdsOfBurst(long[] hashes) {
    this.hashes = hashes;
    this.last = new int[Integer.highestOneBit(Math.max(2, hashes.length)) * 2];
  }

  /**
   * A message comes.
   *
   * @param counts whether it is the last with its id from now on; if not, it is where another is
   * @return the one with its id that was the last before it, {@link #NONE} for none
   */
  int add(int message, boolean counts) {
    int place = placeOf(message);
    int earlier = last[place] - 1;
    if (counts || earlier != NONE) {
      last[place] = message + 1;
    }
    return earlier;
  }

  private int placeOf(int message) {
    long high = hashes[2 * message];
    long low = hashes[2 * message + 1];
    int mask = last.length - 1;
    int place = (int) ((low * 0x9E3779B97F4A7C15L) >>> Integer.SIZE) & mask;
    while (last[place] != 0 && !isOf(last[place] - 1, high, low)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private boolean isOf(int message, long high, long low) {
    return hashes[2 * message] == high && hashes[2 * message + 1] == low;
  }
}

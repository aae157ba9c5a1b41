package io.peeklock.kernel.columns;

/**
 * The last message of a burst with each message id, by hashes. Open addressing; at most half of the
 * places are taken. The probing distance comes from another part of the hash, so that ids with the
 * same first place, which a client can choose, differ at the second.
 */
public final class IdsOfBurst {

  /** No earlier message has this id. */
  public static final int NONE = -1;

  private final long[] hashes;
  private final int[] last; // the number of a message, plus 1; 0 for none
  private long looks;

  /** An empty table for these hashes, two for each message. */
  public IdsOfBurst(long[] hashes) {
    this.hashes = hashes;
    this.last = new int[Integer.highestOneBit(Math.max(2, hashes.length)) * 2];
  }

  /**
   * A message comes.
   *
   * @param counts whether it is the last with its id from now on; otherwise the earlier one stays
   *     the last
   * @return the last earlier message with its id, {@link #NONE} for none
   */
  public int add(int message, boolean counts) {
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
    int step = (int) high | 1; // odd, so that it reaches each place
    int place = (int) low & mask;
    looks++;
    while (last[place] != 0 && !isOf(last[place] - 1, high, low)) {
      place = (place + step) & mask;
      looks++;
    }
    return place;
  }

  /** The number of places probed so far. */
  public long looks() {
    return looks;
  }

  private boolean isOf(int message, long high, long low) {
    return hashes[2 * message] == high && hashes[2 * message + 1] == low;
  }
}

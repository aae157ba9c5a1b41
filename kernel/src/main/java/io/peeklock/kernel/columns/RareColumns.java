package io.peeklock.kernel.columns;

/** Columns of a chunk that take no memory while all their values are 0. */
final class RareColumns {

  /** Failed attempts. */
  final SparseInts deliveryCounts = new SparseInts();

  /** Slots in the table of changed properties. */
  final SparseInts overlaySlots = new SparseInts();

  /** Slots in the table of shared bodies. */
  final SparseInts sharedSlots = new SparseInts();

  /** Numbers that messages were first given elsewhere: their lower halves. */
  private final SparseInts enqueuedLow = new SparseInts();

  /** Their upper halves, 0 for numbers below 2^32. */
  private final SparseInts enqueuedHigh = new SparseInts();

  /** How often they were forwarded, and where they were dead letters. */
  final SparseInts forwardings = new SparseInts();

  /** Slots in the table of sessions. */
  final SparseInts sessionSlots = new SparseInts();

  /**
   * Slots in the table of locks, plus 1. Volatile state, kept here so that it moves with its rows;
   * a replay leaves it at 0.
   */
  final SparseInts lockSlots = new SparseInts();

  private final SparseInts[] all = {
    deliveryCounts,
    overlaySlots,
    sharedSlots,
    enqueuedLow,
    enqueuedHigh,
    forwardings,
    sessionSlots,
    lockSlots,
  };

  /** The number that a message was first given elsewhere; 0 for none. */
  long enqueuedNumber(int row) {
    return (long) enqueuedHigh.get(row) << Integer.SIZE
        | Integer.toUnsignedLong(enqueuedLow.get(row));
  }

  void setEnqueuedNumber(int row, long number, int capacity) {
    enqueuedLow.set(row, (int) number, capacity);
    enqueuedHigh.set(row, (int) (number >>> Integer.SIZE), capacity);
  }

  void clear(int row, int capacity) {
    for (SparseInts column : all) {
      column.set(row, 0, capacity);
    }
  }

  void copy(int row, RareColumns from, int fromRow, int capacity) {
    for (int i = 0; i < all.length; i++) {
      all[i].set(row, from.all[i].get(fromRow), capacity);
    }
  }

  void grow(int capacity) {
    for (SparseInts column : all) {
      column.grow(capacity);
    }
  }

  void shift(int from, int to, int rows) {
    for (SparseInts column : all) {
      column.shift(from, to, rows);
    }
  }
}

package io.peeklock.kernel.columns;

/** Columns of a chunk that cost nothing as long as no message has anything in them. */
final class RareColumns {

  /** Failed attempts. */
  final SparseInts deliveryCounts = new SparseInts();

  /** Slots in the table of changed properties. */
  final SparseInts overlaySlots = new SparseInts();

  /** Slots in the table of bodies that several messages have. */
  final SparseInts sharedSlots = new SparseInts();

  /** Numbers that messages were first given elsewhere. */
  final SparseLongs enqueuedNumbers = new SparseLongs();

  /** How often they were forwarded, and as dead letters from where. */
  final SparseInts travels = new SparseInts();

  /** Slots in the table of sessions. */
  final SparseInts sessionSlots = new SparseInts();

  /**
   * Slots in the table of locks, plus 1. Volatile state, kept here so that it moves with its rows;
   * a replay leaves it at 0.
   */
  final SparseInts lockSlots = new SparseInts();

  private final SparseInts[] all = {
    deliveryCounts, overlaySlots, sharedSlots, travels, sessionSlots, lockSlots
  };

  void clear(int row, int capacity) {
    for (SparseInts column : all) {
      column.set(row, 0, capacity);
    }
    enqueuedNumbers.set(row, 0, capacity);
  }

  void copy(int row, RareColumns from, int fromRow, int capacity) {
    for (int i = 0; i < all.length; i++) {
      all[i].set(row, from.all[i].get(fromRow), capacity);
    }
    enqueuedNumbers.set(row, from.enqueuedNumbers.get(fromRow), capacity);
  }

  void grow(int capacity) {
    for (SparseInts column : all) {
      column.grow(capacity);
    }
    enqueuedNumbers.grow(capacity);
  }

  void shift(int from, int to, int rows) {
    for (SparseInts column : all) {
      column.shift(from, to, rows);
    }
    enqueuedNumbers.shift(from, to, rows);
  }
}

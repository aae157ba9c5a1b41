package io.peeklock.kernel.columns;

/**
 * The capacities of chunks. The subscriptions of a topic get the same messages, so capacities
 * differ in turn; otherwise all would need more room at the same message.
 */
final class ChunkCapacity {
  /** A chunk with room for this many rows does not grow at its end. */
  private static final int LARGE_ROWS = 384;

  private ChunkCapacity() {}

  /** The capacity of a new chunk after full ones. */
  static int behindFull(HeldMemory memory) {
    return Chunk.MAX_ROWS - memory.all().stagger(Chunk.MAX_ROWS - LARGE_ROWS);
  }

  /** The capacity of a chunk that needs room for more than these rows. */
  static int above(int rows, HeldMemory memory) {
    if (rows == Chunk.MIN_ROWS) {
      return 2 * Chunk.MIN_ROWS - memory.all().stagger(Chunk.MIN_ROWS);
    }
    if (rows >= LARGE_ROWS) {
      return Chunk.MAX_ROWS;
    }
    return rows * 2 < LARGE_ROWS ? rows * 2 : behindFull(memory);
  }

  /** Whether nothing more may be appended to a chunk; insertions are still possible. */
  static boolean isFull(Chunk chunk) {
    return chunk.rows() == chunk.capacity() && chunk.rows() >= LARGE_ROWS;
  }
}

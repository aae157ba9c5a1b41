package io.peeklock.kernel.columns;

/**
 * How many rows a chunk has room for. The subscriptions of a topic get the same messages; so that
 * not all of them need more room with the same one, how much they get differs in turn.
 */
final class ChunkCapacity {
  /** A chunk that has room for so many is not made larger for another one at its end. */
  private static final int LARGE_ROWS = 384;

  private ChunkCapacity() {}

  /** Of a new chunk that comes behind full ones. */
  static int behindFull(HeldMemory memory) {
    return Chunk.MAX_ROWS - memory.all().turn(Chunk.MAX_ROWS - LARGE_ROWS);
  }

  /** Of a chunk that needs room for more than these rows. */
  static int above(int rows, HeldMemory memory) {
    if (rows == Chunk.MIN_ROWS) {
      return 2 * Chunk.MIN_ROWS - memory.all().turn(Chunk.MIN_ROWS);
    }
    if (rows >= LARGE_ROWS) {
      return Chunk.MAX_ROWS;
    }
    return rows * 2 < LARGE_ROWS ? rows * 2 : behindFull(memory);
  }

  /** Whether nothing more is to be put at the end of a chunk; what comes in between still may. */
  static boolean isFull(Chunk chunk) {
    return chunk.rows() == chunk.capacity() && chunk.rows() >= LARGE_ROWS;
  }
}

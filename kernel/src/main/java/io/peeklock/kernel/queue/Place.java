package io.peeklock.kernel.queue;

/**
 * Where a message is in the chunks of a queue: the chunk's number in the {@link ChunkDirectory} in
 * the upper half, the row in the lower. Places are found by a search or a walk, and hold until a
 * message comes or goes.
 */
final class Place {

  /** No such message. */
  static final long NONE = -1;

  private Place() {}

  static long of(int chunk, int row) {
    return ((long) chunk << Integer.SIZE) | row;
  }

  /** The number in the directory of the chunk of a place. */
  static int chunk(long place) {
    return (int) (place >>> Integer.SIZE);
  }

  /** The row of a place within its chunk. */
  static int row(long place) {
    return (int) place;
  }
}

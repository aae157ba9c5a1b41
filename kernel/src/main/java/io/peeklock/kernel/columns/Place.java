package io.peeklock.kernel.columns;

/**
 * Where a message is in the chunks of a queue: the chunk's number in the {@link ChunkDirectory} in
 * the upper half, the row in the lower. Places are found by a search or a walk, and hold until a
 * message comes or goes.
 */
public final class Place {

  /** No such message. */
  public static final long NONE = -1;

  private Place() {}

  public static long of(int chunk, int row) {
    return ((long) chunk << Integer.SIZE) | row;
  }

  /** The number in the directory of the chunk of a place. */
  public static int chunk(long place) {
    return (int) (place >>> Integer.SIZE);
  }

  /** The row of a place within its chunk. */
  public static int row(long place) {
    return (int) place;
  }
}

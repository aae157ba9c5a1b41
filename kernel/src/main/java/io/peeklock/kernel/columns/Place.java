package io.peeklock.kernel.columns;

/**
 * The place of a message in the chunks of a queue: the chunk's number in the {@link ChunkDirectory}
 * in the upper half, the row in the lower. A place is valid until a message comes or goes.
 */
public final class Place {

  /** No such message. */
  public static final long NONE = -1;

  private Place() {}

  public static long of(int chunk, int row) {
    return ((long) chunk << Integer.SIZE) | row;
  }

  /** The directory number of the chunk of a place. */
  public static int chunk(long place) {
    return (int) (place >>> Integer.SIZE);
  }

  /** The row of a place within its chunk. */
  public static int row(long place) {
    return (int) place;
  }
}

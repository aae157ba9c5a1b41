package io.peeklock.kernel.columns;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

/**
 * Makes room for messages in a queue's chunks, and frees room when messages leave. Each call keeps
 * the directory correct and invalidates places found earlier.
 */
public final class ChunkAllocator {

  private final ChunkDirectory chunks;

  public ChunkAllocator(ChunkDirectory chunks) {
    this.chunks = chunks;
  }

  /**
   * Makes room at the end, for a number above all others.
   *
   * @return the chunk's place in the directory
   */
  public int atEnd(long number) {
    int last = chunks.size() - 1;
    if (last >= 0 && hasRoomAtEnd(last, number)) {
      return last;
    }
    return insert(last + 1, number, chunks.freshForEnd());
  }

  /** Uses the last chunk: first its unused rows, then those of removed messages. */
  private boolean hasRoomAtEnd(int last, long number) {
    Chunk tail = chunks.chunk(last);
    boolean full = tail.rows() == tail.capacity();
    if (tail.live() == 0 && (full || !tail.spans(number))) {
      tail.clear();
      chunks.describe(last, number, 0, FOREVER);
      return true;
    }
    if (full && tail.live() <= tail.capacity() / 2) {
      tail.compact();
    }
    return tail.spans(number) && !ChunkCapacity.isFull(tail);
  }

  /**
   * Makes room in the middle for a number out of order, as dead letters have, and scheduled
   * messages whose numbers were given before.
   *
   * @return the chunk's place in the directory
   */
  public int amid(long number) {
    int i = chunks.covering(number);
    if (i == chunks.size() - 1 && isAboveAll(i, number)) {
      return atEnd(number);
    }
    i = Math.max(0, i);
    Chunk chunk = chunks.chunk(i);
    if (chunk.rows() == Chunk.MAX_ROWS && chunk.live() < Chunk.MAX_ROWS) {
      chunk.compact();
    }
    if (!chunk.spans(number)) {
      return besides(i, number);
    }
    if (chunk.rows() == Chunk.MAX_ROWS) {
      i = split(i, number);
    }
    chunks.lowerFirstNumber(i, number);
    return i;
  }

  private boolean isAboveAll(int last, long number) {
    return last < 0 || chunks.chunk(last).atOrAfter(number) == chunks.chunk(last).rows();
  }

  /**
   * Creates a chunk for a number that is too far from those of the chunk that it would belong to.
   */
  private int besides(int i, long number) {
    long lowest = chunks.chunk(i).number(0);
    if (number > lowest) {
      return insert(i + 1, number, chunks.fresh(Chunk.MIN_ROWS));
    }
    chunks.describe(i, lowest, chunks.available(i), chunks.expiryBound(i));
    return insert(i, number, chunks.fresh(Chunk.MIN_ROWS));
  }

  private int insert(int i, long number, Chunk fresh) {
    chunks.insert(i, fresh);
    chunks.describe(i, number, 0, FOREVER);
    return i;
  }

  /** Splits a full chunk without gaps in two, and returns the one that a number belongs to. */
  private int split(int i, long number) {
    Chunk left = chunks.chunk(i);
    int half = left.rows() / 2;
    long middle = left.number(half);
    Chunk right = chunks.fresh(Chunk.MAX_ROWS);
    copy(left, half, right);
    left.truncate(half);
    chunks.insert(i + 1, right);
    chunks.describe(i + 1, middle, availableRows(right), earliestExpiry(right));
    chunks.describe(i, chunks.firstNumber(i), availableRows(left), earliestExpiry(left));
    return number < middle ? i : i + 1;
  }

  /**
   * Frees what a chunk no longer needs, after a message left it. A small last chunk is kept, so
   * that a queue with occasional messages allocates none.
   */
  public void tidy(int i) {
    Chunk chunk = chunks.chunk(i);
    if (chunk.live() == 0) {
      if (i < chunks.size() - 1 || chunk.capacity() > Chunk.MIN_ROWS) {
        chunks.remove(i);
      }
    } else if (isWasteful(chunk) && chunks.inSnapshot == 0) {
      shrink(i, chunk);
    }
  }

  private void shrink(int i, Chunk chunk) {
    if (i > 0 && fitsInto(chunks.chunk(i - 1), chunk)) {
      Chunk left = chunks.chunk(i - 1);
      left.compact();
      copy(chunk, 0, left);
      chunks.addAvailable(i - 1, chunks.available(i));
      chunks.lowerExpiryBound(i - 1, chunks.expiryBound(i));
      chunks.remove(i);
      return;
    }
    int capacity = Math.max(Chunk.MIN_ROWS, Integer.highestOneBit(chunk.live()) * 2);
    Chunk packed = chunks.fresh(capacity);
    copy(chunk, 0, packed);
    chunks.replace(i, packed);
  }

  /**
   * Appends the present rows from {@code fromRow} on to another chunk, whose numbers are all lower.
   */
  private static void copy(Chunk from, int fromRow, Chunk to) {
    for (int row = fromRow; row < from.rows(); row++) {
      if (from.isPresent(row)) {
        to.copyRow(to.append(from.number(row)), from, row);
      }
    }
    to.touched(from.newestIndex());
  }

  /** Whether a chunk is much larger than its remaining messages need. */
  private static boolean isWasteful(Chunk chunk) {
    return chunk.capacity() > Chunk.MIN_ROWS && chunk.live() <= chunk.capacity() / 4;
  }

  private static boolean fitsInto(Chunk left, Chunk chunk) {
    return left.live() + chunk.live() <= Chunk.MAX_ROWS / 2
        && left.spans(chunk.number(chunk.rows() - 1));
  }

  /** Inserts a chunk of a checkpoint between the others. */
  public int restored(Chunk chunk) {
    int i = chunks.covering(chunk.number(0)) + 1;
    chunks.insert(i, chunk);
    chunks.describe(i, chunk.number(0), 0, FOREVER);
    return i;
  }

  /** Computes again when the first available message in the chunk of this number expires. */
  public void renewExpiryBound(long number) {
    int i = Math.max(0, chunks.covering(number));
    if (i < chunks.size()) {
      chunks.setExpiryBound(i, earliestExpiry(chunks.chunk(i)));
    }
  }

  /** The number of available messages of a chunk. */
  static int availableRows(Chunk chunk) {
    int count = 0;
    for (int row = 0; row < chunk.rows(); row++) {
      count += chunk.isAvailable(row) ? 1 : 0;
    }
    return count;
  }

  /** When the first available message of a chunk expires. */
  static long earliestExpiry(Chunk chunk) {
    long earliest = FOREVER;
    for (int row = 0; row < chunk.rows(); row++) {
      if (chunk.isAvailable(row)) {
        earliest = Math.min(earliest, chunk.expiresAtMillis(row));
      }
    }
    return earliest;
  }
}

package io.peeklock.kernel.columns;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

/**
 * The available messages of a queue, which are active and not locked: how many, which is first, and
 * when the first expires.
 */
public final class ReadyIndex {

  private final ChunkDirectory chunks;
  private final boolean expires;
  private long count;
  private long firstNumber = Long.MAX_VALUE;
  private long expiryBound = FOREVER;
  private long forwardFrom;
  private boolean firstMayBeGone;

  public ReadyIndex(ChunkDirectory chunks, boolean expires) {
    this.chunks = chunks;
    this.expires = expires;
  }

  public long count() {
    return count;
  }

  /** The lowest number, after {@link #advance}. */
  public long firstNumber() {
    return firstNumber;
  }

  /** No available message expires before this time. */
  public long expiryBound() {
    return expiryBound;
  }

  /** Adds the message in a row of chunk {@code i}. */
  public void add(int i, int row) {
    Chunk chunk = chunks.chunk(i);
    count++;
    chunks.addAvailable(i, 1);
    firstNumber = Math.min(firstNumber, chunk.number(row));
    forwardFrom = Math.min(forwardFrom, chunk.number(row));
    expires(i, chunk.expiresAtMillis(row));
  }

  /** Notes that a message of chunk {@code i} expires at this time. */
  public void expires(int i, long atMillis) {
    if (expires) {
      chunks.lowerExpiryBound(i, atMillis);
      expiryBound = Math.min(expiryBound, atMillis);
    }
  }

  /** Removes a message of chunk {@code i}. */
  public void remove(int i) {
    count--;
    firstMayBeGone = true;
    chunks.addAvailable(i, -1);
  }

  /** Removes all messages of a chunk, which is dropped. */
  public void dropChunk(int i) {
    count -= chunks.available(i);
    firstMayBeGone = true;
  }

  /**
   * Finds the lowest number again if messages were removed. After additions only, nothing is read:
   * with thousands of subscriptions the first chunk is in no processor cache.
   */
  public void advance() {
    if (!firstMayBeGone) {
      return;
    }
    firstMayBeGone = false;
    if (count == 0) {
      firstNumber = Long.MAX_VALUE;
      return;
    }
    int i = Math.max(0, chunks.covering(firstNumber));
    long place = from(i, chunks.chunk(i).atOrAfter(firstNumber));
    firstNumber = chunks.chunk(Place.chunk(place)).number(Place.row(place));
  }

  /**
   * The place of the first available message from this row of a chunk on; {@link Place#NONE} when
   * there is none.
   */
  public long from(int fromChunk, int fromRow) {
    int row = fromRow;
    for (int i = fromChunk; i < chunks.size(); i++) {
      if (chunks.available(i) > 0) {
        Chunk chunk = chunks.chunk(i);
        for (; row < chunk.rows(); row++) {
          if (chunk.isAvailable(row)) {
            return Place.of(i, row);
          }
        }
      }
      row = 0;
    }
    return Place.NONE;
  }

  /** Computes again when the first message expires, from the bounds of the chunks. */
  public void renewExpiryBound() {
    expiryBound = chunks.earliestExpiryBound();
  }

  /**
   * The first available message that forwarding has not searched yet; {@link Place#NONE} when there
   * is none.
   */
  public long firstToForward() {
    if (count == 0) {
      return Place.NONE;
    }
    int i = Math.max(0, chunks.covering(forwardFrom));
    return from(i, chunks.chunk(i).atOrAfter(forwardFrom));
  }

  /** Notes that forwarding has searched the messages below this number, which stay. */
  public void forwardFrom(long number) {
    forwardFrom = number;
  }

  /** Computes again when the first message in the chunk of this number expires. */
  public void renewExpiryBound(long number) {
    int i = Math.max(0, chunks.covering(number));
    if (i < chunks.size()) {
      chunks.setExpiryBound(i, ChunkAllocator.earliestExpiry(chunks.chunk(i)));
    }
  }
}

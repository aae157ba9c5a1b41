package io.peeklock.kernel.queue;

import static io.peeklock.kernel.QueueDefinition.FOREVER;

import io.peeklock.kernel.DeadLetterCause;
import io.peeklock.kernel.Fact;

/**
 * The messages of one queue by sequence number, and which of them comes next.
 *
 * <p>A message is named by its <em>place</em>: the chunk's number in the directory in the upper
 * half, the row in the lower. Places are found by {@link #find} or by walking, and hold until the
 * index changes.
 *
 * <p>What comes next is the available message with the lowest number (S-028, S-135, S-137): it is
 * kept up to date by {@link #advance()}, which walks from where it was over what was taken, chunk
 * by chunk where nothing is available, so that neither a burst nor millions of deferred or locked
 * messages in front make a delivery slow.
 */
final class MessageIndex {

  /** No such message. */
  static final long NONE = -1;

  private final ChunkDirectory chunks = new ChunkDirectory();
  private final ChunkSpace space = new ChunkSpace(chunks);
  private final boolean expires;
  private long active;
  private long deferred;
  private long available;
  private long bytes;
  private long firstAvailable = Long.MAX_VALUE;
  private long expiryBound = FOREVER;

  /**
   * An empty index.
   *
   * @param expires false in a dead-letter queue (S-176)
   */
  MessageIndex(boolean expires) {
    this.expires = expires;
  }

  // ---- how many

  /** In state active, locked or not. */
  long active() {
    return active;
  }

  /** In state deferred, locked or not. */
  long deferred() {
    return deferred;
  }

  /** Active and not locked. */
  long available() {
    return available;
  }

  /** Of messages and their changed properties. */
  long bytes() {
    return bytes;
  }

  void addBytes(long change) {
    bytes += change;
  }

  // ---- finding

  long find(long number) {
    int i = chunks.covering(number);
    int row = i < 0 ? -1 : chunks.chunk(i).find(number);
    return row < 0 ? NONE : place(i, row);
  }

  /** The first available message, {@link #NONE} for none. */
  long firstAvailable() {
    return available == 0 ? NONE : find(firstAvailable);
  }

  /** The available message after this place, {@link #NONE} for none. */
  long nextAvailable(long place) {
    return availableFrom(chunkAt(place), row(place) + 1);
  }

  /** The message with this number or the next higher one, {@link #NONE} for none. */
  long firstFrom(long number) {
    long from = Math.max(0, number); // a client may ask for any number, none is below 1
    int i = Math.max(0, chunks.covering(from));
    return i < chunks.size() ? presentFrom(i, chunks.chunk(i).atOrAfter(from)) : NONE;
  }

  /** The message after this place, {@link #NONE} for none. */
  long next(long place) {
    return presentFrom(chunkAt(place), row(place) + 1);
  }

  private long availableFrom(int fromChunk, int fromRow) {
    int row = fromRow;
    for (int i = fromChunk; i < chunks.size(); i++) {
      if (chunks.available(i) > 0) {
        Chunk chunk = chunks.chunk(i);
        for (; row < chunk.rows(); row++) {
          if (chunk.isAvailable(row)) {
            return place(i, row);
          }
        }
      }
      row = 0;
    }
    return NONE;
  }

  private long presentFrom(int fromChunk, int fromRow) {
    int row = fromRow;
    for (int i = fromChunk; i < chunks.size(); i++) {
      Chunk chunk = chunks.chunk(i);
      for (; row < chunk.rows(); row++) {
        if (chunk.isPresent(row)) {
          return place(i, row);
        }
      }
      row = 0;
    }
    return NONE;
  }

  private static long place(int i, int row) {
    return ((long) i << Integer.SIZE) | row;
  }

  private static int chunkAt(long place) {
    return (int) (place >>> Integer.SIZE);
  }

  /** The row of a place within {@link #chunk}. */
  static int row(long place) {
    return (int) place;
  }

  /** The chunk of a place, for reading. */
  Chunk chunk(long place) {
    return chunks.chunk(chunkAt(place));
  }

  long number(long place) {
    return chunk(place).number(row(place));
  }

  // ---- changing

  /** Stores a burst at the end. */
  void append(Fact.Enqueued fact, long index) {
    int[] sizes = fact.sizes();
    long[] expiries = fact.expiresAtMillis();
    for (int k = 0; k < sizes.length; k++) {
      long number = fact.firstSequenceNumber() + k;
      int i = space.atEnd(number);
      Chunk chunk = chunks.chunk(i);
      int row = chunk.append(number);
      chunk.fill(row, fact.firstBodyId() + k, sizes[k], fact.headerBytes()[k]);
      chunk.fillTimes(row, fact.enqueuedAtMillis(), expiries == null ? FOREVER : expiries[k]);
      chunk.touched(index);
      becomeAvailable(i, row);
      bytes += sizes[k];
    }
    active += sizes.length;
  }

  /** Takes in a message of another queue, as a dead letter with its number and times. */
  void addDeadLetter(MessageIndex source, long sourcePlace, DeadLetterCause cause, long index) {
    long number = source.number(sourcePlace);
    int i = space.amid(number);
    Chunk chunk = chunks.chunk(i);
    int row = chunk.insert(chunk.atOrAfter(number), number);
    chunk.copyRow(row, source.chunk(sourcePlace), row(sourcePlace));
    chunk.deadLetter(row, cause);
    chunk.setLockSlot(row, 0);
    chunk.touched(index);
    becomeAvailable(i, row);
    bytes += chunk.size(row);
    active++;
  }

  /** Takes a message away, from under its lock if it has one. */
  void remove(long place) {
    Chunk chunk = chunk(place);
    int row = row(place);
    if (chunk.isAvailable(row)) {
      becomeUnavailable(chunkAt(place));
    }
    if (chunk.isDeferred(row)) {
      deferred--;
    } else {
      active--;
    }
    bytes -= chunk.size(row);
    chunk.remove(row);
    space.tidy(chunkAt(place));
  }

  /** Sets a message aside, and takes its lock off. */
  void defer(long place) {
    Chunk chunk = chunk(place);
    int row = row(place);
    if (chunk.isAvailable(row)) {
      becomeUnavailable(chunkAt(place));
    }
    if (!chunk.isDeferred(row)) {
      active--;
      deferred++;
      chunk.defer(row);
    }
    chunk.setLockSlot(row, 0);
  }

  void lock(long place, int slot) {
    Chunk chunk = chunk(place);
    int row = row(place);
    if (chunk.isAvailable(row)) {
      becomeUnavailable(chunkAt(place));
    }
    chunk.setLockSlot(row, slot + 1);
  }

  void unlock(long place) {
    Chunk chunk = chunk(place);
    int row = row(place);
    chunk.setLockSlot(row, 0);
    if (chunk.isAvailable(row)) {
      becomeAvailable(chunkAt(place), row);
    }
  }

  private void becomeAvailable(int i, int row) {
    Chunk chunk = chunks.chunk(i);
    available++;
    chunks.addAvailable(i, 1);
    firstAvailable = Math.min(firstAvailable, chunk.number(row));
    if (expires) {
      long expiry = chunk.expiresAtMillis(row);
      chunks.lowerExpiryBound(i, expiry);
      expiryBound = Math.min(expiryBound, expiry);
    }
  }

  private void becomeUnavailable(int i) {
    available--;
    chunks.addAvailable(i, -1);
  }

  /** Finds what comes next, after messages became unavailable. */
  void advance() {
    if (available == 0) {
      firstAvailable = Long.MAX_VALUE;
      return;
    }
    int i = Math.max(0, chunks.covering(firstAvailable));
    firstAvailable = number(availableFrom(i, chunks.chunk(i).atOrAfter(firstAvailable)));
  }

  // ---- expiry

  /** No available message expires before this time. */
  long expiryBound() {
    return expiryBound;
  }

  /** The chunks that the walk over expired messages goes through. */
  ChunkDirectory chunks() {
    return chunks;
  }

  /** Finds anew when the first of the available messages around this number expires. */
  void renewExpiryBound(long number) {
    int i = Math.max(0, chunks.covering(number));
    if (i < chunks.size()) {
      chunks.setExpiryBound(i, ChunkSpace.earliestExpiry(chunks.chunk(i)));
    }
  }

  /** Finds anew when the first available message expires, from what is known of the chunks. */
  void renewExpiryBound() {
    expiryBound = FOREVER;
    for (int i = 0; i < chunks.size(); i++) {
      expiryBound = Math.min(expiryBound, chunks.expiryBound(i));
    }
  }
}

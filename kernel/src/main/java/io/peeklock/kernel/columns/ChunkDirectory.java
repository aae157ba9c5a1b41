package io.peeklock.kernel.columns;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import java.util.Arrays;

/**
 * The chunks of a queue in order, with what searches need of each: its first number, how many of
 * its messages are available, and a lower bound of when one of those expires. Removing the first
 * chunk costs nothing.
 */
public final class ChunkDirectory {

  private final HeldMemory memory;
  private Chunk[] chunks = new Chunk[4];
  private long[] firstNumbers = new long[4];
  private int[] available = new int[4];
  private long[] expiryBounds = new long[4];
  private int head;
  private int size;
  private int lastHit; // a guess for the next search: a wrong one only costs time

  /** The snapshot in progress; what came since it began is not part of it. */
  public int snapshot;

  /**
   * The number, from 1, under which the snapshot walks through these chunks; 0 when it does not.
   */
  public int inSnapshot;

  /** An empty directory, whose chunks are charged to this account. */
  public ChunkDirectory(HeldMemory memory) {
    this.memory = memory;
  }

  /** The account that its chunks are charged to. */
  public HeldMemory memory() {
    return memory;
  }

  public int size() {
    return size;
  }

  public Chunk chunk(int i) {
    return chunks[head + i];
  }

  public long firstNumber(int i) {
    return firstNumbers[head + i];
  }

  /** How many messages of the chunk are available. */
  public int available(int i) {
    return available[head + i];
  }

  public void addAvailable(int i, int change) {
    available[head + i] += change;
  }

  /** No available message of the chunk expires before this time. */
  public long expiryBound(int i) {
    return expiryBounds[head + i];
  }

  /** No available message of any chunk expires before this time. */
  public long earliestExpiryBound() {
    long earliest = FOREVER;
    for (int i = 0; i < size; i++) {
      earliest = Math.min(earliest, expiryBound(i));
    }
    return earliest;
  }

  void setExpiryBound(int i, long millis) {
    expiryBounds[head + i] = millis;
  }

  /** Lowers the expiry bound of a chunk, if this time is earlier. */
  public void lowerExpiryBound(int i, long millis) {
    expiryBounds[head + i] = Math.min(expiryBounds[head + i], millis);
  }

  /** The last chunk whose first number is not above this one; -1 when there is none. */
  public int covering(long number) {
    if (lastHit < size && covers(lastHit, number)) {
      return lastHit;
    }
    int at = Arrays.binarySearch(firstNumbers, head, head + size, number);
    int i = at >= 0 ? at - head : -at - 2 - head;
    lastHit = Math.max(0, i);
    return i;
  }

  private boolean covers(int i, long number) {
    return firstNumber(i) <= number && (i + 1 == size || firstNumber(i + 1) > number);
  }

  /**
   * The place of the first message from this row of a chunk on; {@link Place#NONE} when there is
   * none.
   */
  public long presentFrom(int fromChunk, int fromRow) {
    int row = fromRow;
    for (int i = fromChunk; i < size; i++) {
      Chunk chunk = chunk(i);
      for (; row < chunk.rows(); row++) {
        if (chunk.isPresent(row)) {
          return Place.of(i, row);
        }
      }
      row = 0;
    }
    return Place.NONE;
  }

  /** The place of the first message with this number or a higher one. */
  public long presentFrom(long number) {
    long from = Math.max(0, number); // a client may ask for any number; all are at least 1
    int i = Math.max(0, covering(from));
    return i < size ? presentFrom(i, chunk(i).atOrAfter(from)) : Place.NONE;
  }

  /** An empty chunk with at least this capacity, not in the directory yet. */
  Chunk fresh(int capacity) {
    Chunk fresh = new Chunk(capacity, memory);
    fresh.snapshot = snapshot;
    return fresh;
  }

  /** An empty chunk for the end, not in the directory yet. */
  Chunk freshForEnd() {
    return fresh(size == 0 ? Chunk.MIN_ROWS : ChunkCapacity.behindFull(memory));
  }

  /** Puts a chunk at this place; {@link #describe} must follow. */
  void insert(int i, Chunk chunk) {
    makeRoom();
    int at = head + i;
    int behind = size - i;
    System.arraycopy(chunks, at, chunks, at + 1, behind);
    System.arraycopy(firstNumbers, at, firstNumbers, at + 1, behind);
    System.arraycopy(available, at, available, at + 1, behind);
    System.arraycopy(expiryBounds, at, expiryBounds, at + 1, behind);
    chunks[at] = chunk;
    size++;
  }

  private void makeRoom() {
    if (head + size < chunks.length) {
      return;
    }
    int capacity = head > size ? chunks.length : chunks.length * 2;
    Chunk[] from = chunks;
    chunks = new Chunk[capacity];
    System.arraycopy(from, head, chunks, 0, size);
    firstNumbers = moved(firstNumbers, capacity);
    expiryBounds = moved(expiryBounds, capacity);
    int[] counts = available;
    available = new int[capacity];
    System.arraycopy(counts, head, available, 0, size);
    head = 0;
  }

  private long[] moved(long[] from, int capacity) {
    long[] to = new long[capacity];
    System.arraycopy(from, head, to, 0, size);
    return to;
  }

  /** Replaces a chunk by a copy with the same messages. */
  void replace(int i, Chunk chunk) {
    memory.chunkLeft(chunk(i).capacity());
    chunks[head + i] = chunk;
  }

  /** Notes what searches need of the chunk at this place. */
  void describe(int i, long firstNumber, int availableRows, long expiryBound) {
    firstNumbers[head + i] = firstNumber;
    available[head + i] = availableRows;
    expiryBounds[head + i] = expiryBound;
  }

  /** Lowers the first number of the chunk at this place. */
  void lowerFirstNumber(int i, long number) {
    firstNumbers[head + i] = Math.min(firstNumbers[head + i], number);
  }

  /** Drops all chunks of a deleted queue, which are usually empty. */
  public void clear() {
    while (size > 0) {
      remove(size - 1);
    }
  }

  /** Drops the chunk at this place. */
  @SuppressWarnings("NullAway") // places outside head and size are null, and never read
  public void remove(int i) {
    memory.chunkLeft(chunk(i).capacity());
    int at = head + i;
    size--;
    if (i == 0) {
      chunks[at] = null;
      head = size == 0 ? 0 : head + 1;
      return;
    }
    int behind = size - i;
    System.arraycopy(chunks, at + 1, chunks, at, behind);
    System.arraycopy(firstNumbers, at + 1, firstNumbers, at, behind);
    System.arraycopy(available, at + 1, available, at, behind);
    System.arraycopy(expiryBounds, at + 1, expiryBounds, at, behind);
    chunks[head + size] = null;
  }
}

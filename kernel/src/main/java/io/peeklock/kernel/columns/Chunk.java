package io.peeklock.kernel.columns;

import io.peeklock.kernel.fact.DeadLetterCause;
import java.util.Arrays;

/**
 * Up to 512 messages of one queue, sorted by sequence number, column by column: about 24 bytes for
 * a message, 36 with expiry, failed attempts and changed properties. Removed rows stay until half
 * of a full chunk, or three quarters of any, is removed; then the remover compacts it.
 */
public final class Chunk {

  public static final int MIN_ROWS = 16;
  public static final int MAX_ROWS = 512;

  /** The most distance of a number from the chunk's first, so that distances fit an int. */
  private static final long MAX_SPAN = 1 << 30;

  private long base;
  private int[] deltas;
  private long[] bodyIds;
  private int[] sizes;
  private int[] flags;
  private final TimeColumn enqueuedAt = new TimeColumn();
  private final TimeColumn expiresAt = new TimeColumn();
  private final RareColumns rare = new RareColumns();
  private int rows;
  private int live;
  private long newestIndex;
  private final HeldMemory memory;

  /** The newest snapshot that has these messages, or began before they existed. */
  public int snapshot;

  /** An empty chunk with room for {@code capacity} rows, charged to this account. */
  public Chunk(int capacity, HeldMemory memory) {
    this.memory = memory;
    memory.chunkCame(capacity);
    deltas = new int[capacity];
    bodyIds = new long[capacity];
    sizes = new int[capacity];
    flags = new int[capacity];
  }

  /** The number of rows, removed ones included. */
  public int rows() {
    return rows;
  }

  /** The number of rows that are not removed. */
  public int live() {
    return live;
  }

  /** The number of rows that fit. */
  public int capacity() {
    return deltas.length;
  }

  /** Whether a number is near enough to go into this chunk. */
  boolean spans(long number) {
    return rows == 0 || Math.abs(number - base) <= MAX_SPAN;
  }

  /** The row of a number, or of the next higher one; {@link #rows()} when there is none. */
  public int atOrAfter(long number) {
    return SortedLongs.atOrAfter(deltas, rows, number - base);
  }

  /** The row of a number, -1 when it is not here. */
  public int find(long number) {
    int row = atOrAfter(number);
    return row < rows && number(row) == number && isPresent(row) ? row : -1;
  }

  /** Adds a row for a number above all others. There must be room. */
  public int append(long number) {
    return insert(rows, number);
  }

  /** Opens a row for a number, before the row that has a higher one. There must be room. */
  public int insert(int row, long number) {
    if (rows == capacity()) {
      grow(ChunkCapacity.above(rows, memory));
    }
    if (rows == 0) {
      base = number;
    }
    if (row < rows) {
      shift(row, row + 1, rows - row);
    }
    rows++;
    live++;
    deltas[row] = (int) (number - base);
    flags[row] = 0;
    rare.clear(row, capacity());
    return row;
  }

  /** Fills a fresh row. */
  public void fill(int row, long bodyId, int size, int headerBytes) {
    bodyIds[row] = bodyId;
    sizes[row] = size;
    flags[row] = RowFlags.fresh(headerBytes);
  }

  /** Fills the times of a fresh row. */
  public void fillTimes(int row, long enqueuedAtMillis, long expiresAtMillis) {
    enqueuedAt.set(row, enqueuedAtMillis, capacity());
    expiresAt.set(row, expiresAtMillis, capacity());
  }

  /** Copies everything but the number. */
  public void copyRow(int row, Chunk source, int from) {
    bodyIds[row] = source.bodyIds[from];
    sizes[row] = source.sizes[from];
    flags[row] = source.flags[from];
    fillTimes(row, source.enqueuedAtMillis(from), source.expiresAtMillis(from));
    rare.copy(row, source.rare, from, capacity());
  }

  /** Marks the row of a message as removed. */
  public void remove(int row) {
    flags[row] = RowFlags.removed(flags[row]);
    live--;
  }

  /**
   * Drops the rows from {@code fromRow} on, none of which is removed; the caller has copied them.
   */
  void truncate(int fromRow) {
    live -= rows - fromRow;
    rows = fromRow;
  }

  /** Closes the gaps that removed rows left, in place. */
  void compact() {
    long newBase = base;
    int kept = 0;
    for (int row = 0; row < rows; row++) {
      if (isPresent(row)) {
        newBase = kept == 0 ? number(row) : newBase;
        shift(row, kept, 1);
        deltas[kept] = (int) (base + deltas[kept] - newBase);
        kept++;
      }
    }
    base = newBase;
    rows = kept;
  }

  /** Forgets everything, for another use. */
  void clear() {
    rows = 0;
    live = 0;
    newestIndex = 0;
    enqueuedAt.clear();
    expiresAt.clear();
  }

  private void grow(int capacity) {
    memory.rowsCame(capacity - capacity());
    deltas = Arrays.copyOf(deltas, capacity);
    bodyIds = Arrays.copyOf(bodyIds, capacity);
    sizes = Arrays.copyOf(sizes, capacity);
    flags = Arrays.copyOf(flags, capacity);
    enqueuedAt.grow(capacity);
    expiresAt.grow(capacity);
    rare.grow(capacity);
  }

  private void shift(int from, int to, int count) {
    System.arraycopy(deltas, from, deltas, to, count);
    System.arraycopy(bodyIds, from, bodyIds, to, count);
    System.arraycopy(sizes, from, sizes, to, count);
    System.arraycopy(flags, from, flags, to, count);
    enqueuedAt.shift(from, to, count);
    expiresAt.shift(from, to, count);
    rare.shift(from, to, count);
  }

  /** Whether the row is not removed. */
  public boolean isPresent(int row) {
    return RowFlags.isPresent(flags[row]);
  }

  public boolean isDeferred(int row) {
    return RowFlags.isDeferred(flags[row]);
  }

  /** Whether the message may be delivered: present, active and not locked. */
  public boolean isAvailable(int row) {
    return RowFlags.isPresentAndActive(flags[row]) && rare.lockSlots.get(row) == 0;
  }

  public long number(int row) {
    return base + deltas[row];
  }

  public long bodyId(int row) {
    return bodyIds[row];
  }

  public int size(int row) {
    return sizes[row];
  }

  /** The header bytes, rounded up to {@link RowFlags#HEADER_UNIT}. */
  public int headerBytes(int row) {
    return RowFlags.headerBytes(flags[row]);
  }

  public DeadLetterCause cause(int row) {
    return RowFlags.cause(flags[row]);
  }

  public long enqueuedAtMillis(int row) {
    return enqueuedAt.get(row);
  }

  public long expiresAtMillis(int row) {
    return expiresAt.get(row);
  }

  public int deliveryCount(int row) {
    return rare.deliveryCounts.get(row);
  }

  /** The slot of its changed properties; 0 for none. */
  public int overlaySlot(int row) {
    return rare.overlaySlots.get(row);
  }

  /** Its slot in the lock table plus one; 0 when it is not locked. */
  public int lockSlot(int row) {
    return rare.lockSlots.get(row);
  }

  /** The index of the newest batch with a fact about a present message, or a later one. */
  public long newestIndex() {
    return newestIndex;
  }

  /** Marks the message as deferred. */
  public void defer(int row) {
    flags[row] = RowFlags.deferred(flags[row]);
  }

  /** Marks a message as active with a cause, as it enters a dead-letter queue. */
  public void deadLetter(int row, DeadLetterCause cause) {
    flags[row] = RowFlags.deadLettered(flags[row], cause);
  }

  public void setDeliveryCount(int row, int count) {
    rare.deliveryCounts.set(row, count, capacity());
  }

  public void setOverlaySlot(int row, int slot) {
    rare.overlaySlots.set(row, slot, capacity());
  }

  /** The slot of its session; 0 for none. */
  public int sessionSlot(int row) {
    return rare.sessionSlots.get(row);
  }

  public void setSessionSlot(int row, int slot) {
    rare.sessionSlots.set(row, slot, capacity());
  }

  /** The slot that counts the messages with its body; 0 when the body is not shared. */
  public int sharedSlot(int row) {
    return rare.sharedSlots.get(row);
  }

  public void setSharedSlot(int row, int slot) {
    rare.sharedSlots.set(row, slot, capacity());
  }

  /** The number that it was first given elsewhere; 0 for none. */
  public long enqueuedNumber(int row) {
    return rare.enqueuedNumber(row);
  }

  public void setEnqueuedNumber(int row, long number) {
    rare.setEnqueuedNumber(row, number, capacity());
  }

  /** How often it was forwarded, and where it was a dead letter; see {@link ForwardingHistory}. */
  public int forwardings(int row) {
    return rare.forwardings.get(row);
  }

  public void setForwardings(int row, int forwardings) {
    rare.forwardings.set(row, forwardings, capacity());
  }

  public void setLockSlot(int row, int slot) {
    rare.lockSlots.set(row, slot, capacity());
  }

  /** Notes a batch with a fact about a message of the chunk. */
  public void touched(long index) {
    newestIndex = Math.max(newestIndex, index);
  }
}

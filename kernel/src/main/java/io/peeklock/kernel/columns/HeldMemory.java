package io.peeklock.kernel.columns;

/**
 * The memory account of one entity: what its messages, sessions and remembered ids take of {@link
 * StoredMemory}, for a queue with its dead-letter queue, or a topic with all its subscriptions,
 * with the transfers that wait via either. The weight of the entity itself is not included.
 *
 * <p>Code that creates or drops such objects counts them here, which counts them in the sum too.
 */
public final class HeldMemory {

  /** A slot for changed properties, with its share of its page. */
  private static final int OVERLAY_BYTES = StoredMemory.OVERLAY_PAGE_BYTES / OverlayTable.PAGE + 1;

  private final StoredMemory all;
  private long bytes;
  private long staying;
  private long overlays;
  private long overlayBytes;

  /** An empty account in this sum. */
  public HeldMemory(StoredMemory all) {
    this.all = all;
  }

  /** The sum that it is part of. */
  public StoredMemory all() {
    return all;
  }

  /** The bytes counted here, and in the sum. */
  public long bytes() {
    return bytes;
  }

  /** The bytes of sessions and ids, which stay when messages go. */
  public long staying() {
    return staying;
  }

  /** The number of messages with changed properties, whose pages count in the sum only. */
  public long overlays() {
    return overlays;
  }

  /** The heap of changed properties. */
  public long overlayHeap() {
    return overlays * OVERLAY_BYTES;
  }

  /** The bytes of changed properties in the memory for bodies. */
  public long overlayBytes() {
    return overlayBytes;
  }

  /**
   * The heap that the entity takes, with its share of the journal's heap, which grows with messages
   * and is not known by entity.
   */
  public long charged() {
    long ofAll = all.held() - all.staying();
    double part = ofAll == 0 ? 0 : (double) (bytes - staying) / ofAll;
    long beside = (long) (part * all.beside());
    return bytes + overlayHeap() + beside;
  }

  private void stayingChanged(long more) {
    staying += more;
    all.stayingChanged(more);
    changed(more);
  }

  private void changed(long more) {
    bytes += more;
    all.heldChanged(more);
  }

  /** Counts a new chunk. */
  public void chunkCame(int rows) {
    changed(StoredMemory.CHUNK_BYTES + (long) StoredMemory.ROW_BYTES * rows);
  }

  /** Counts rows added to a chunk. */
  void rowsCame(int rows) {
    changed((long) StoredMemory.ROW_BYTES * rows);
  }

  /** Counts a dropped chunk. */
  void chunkLeft(int rows) {
    changed(-StoredMemory.CHUNK_BYTES - (long) StoredMemory.ROW_BYTES * rows);
  }

  /** Counts a new session, with the length of its id. */
  public void sessionCame(int characters) {
    stayingChanged(StoredMemory.SESSION_BYTES + 2L * characters);
  }

  /** Counts a dropped session, with the length of its id. */
  public void sessionLeft(int characters) {
    stayingChanged(-StoredMemory.SESSION_BYTES - 2L * characters);
  }

  /** Counts added slots for ids; negative for dropped ones. */
  public void idsChanged(long places) {
    stayingChanged(StoredMemory.ID_BYTES * places);
  }

  /** Counts changed properties of this size. */
  public void overlayCame(int size) {
    overlays++;
    overlayBytes += size;
  }

  /** Counts dropped changed properties of this size. */
  public void overlayLeft(int size) {
    overlays--;
    overlayBytes -= size;
  }
}

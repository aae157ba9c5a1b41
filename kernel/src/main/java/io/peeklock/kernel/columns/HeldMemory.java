package io.peeklock.kernel.columns;

/**
 * What the messages, the sessions and the remembered ids of one entity take of {@link
 * StoredMemory}: of a queue with its dead-letter queue, or of a topic with all its subscriptions,
 * and of what waits to be transferred via either. What the entity itself weighs is not in it.
 *
 * <p>Whoever makes or drops such a thing counts it here, and it is counted in the sum with that.
 */
public final class HeldMemory {

  /** A place for changed properties, with its part of the page that it is in. */
  private static final int OVERLAY_BYTES = StoredMemory.OVERLAY_PAGE_BYTES / OverlayTable.PAGE + 1;

  private final StoredMemory all;
  private long bytes;
  private long staying;
  private long overlays;
  private long overlayBytes;

  /** Nothing yet, of this. */
  public HeldMemory(StoredMemory all) {
    this.all = all;
  }

  /** What it is a part of. */
  public StoredMemory all() {
    return all;
  }

  /** What is counted here, and again in the sum. */
  public long bytes() {
    return bytes;
  }

  /** What is counted here for sessions and for ids, which stay when messages go. */
  public long staying() {
    return staying;
  }

  /** How many messages have changed properties; the pages that these are in count in the sum. */
  public long overlays() {
    return overlays;
  }

  /** What changed properties take of the heap. */
  public long overlayHeap() {
    return overlays * OVERLAY_BYTES;
  }

  /** What they take where bodies are. */
  public long overlayBytes() {
    return overlayBytes;
  }

  /**
   * All that the entity takes of the heap, with its part of what the journal has there: that grows
   * with messages, and whose they are is not known there.
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

  /** A chunk with so many rows is there. */
  public void chunkCame(int rows) {
    changed(StoredMemory.CHUNK_BYTES + (long) StoredMemory.ROW_BYTES * rows);
  }

  /** A chunk has so many rows more. */
  void rowsCame(int rows) {
    changed((long) StoredMemory.ROW_BYTES * rows);
  }

  /** A chunk with so many rows is gone. */
  void chunkLeft(int rows) {
    changed(-StoredMemory.CHUNK_BYTES - (long) StoredMemory.ROW_BYTES * rows);
  }

  /** A session with an id of so many characters is there. */
  public void sessionCame(int characters) {
    stayingChanged(StoredMemory.SESSION_BYTES + 2L * characters);
  }

  /** A session with an id of so many characters is gone. */
  public void sessionLeft(int characters) {
    stayingChanged(-StoredMemory.SESSION_BYTES - 2L * characters);
  }

  /** There are so many places more for ids; below 0 for fewer. */
  public void idsChanged(long places) {
    stayingChanged(StoredMemory.ID_BYTES * places);
  }

  /** A message has changed properties of this size. */
  public void overlayCame(int size) {
    overlays++;
    overlayBytes += size;
  }

  /** A message has none any more, which were of this size. */
  public void overlayLeft(int size) {
    overlays--;
    overlayBytes -= size;
  }
}

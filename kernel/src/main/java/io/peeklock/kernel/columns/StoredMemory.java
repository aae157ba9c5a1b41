package io.peeklock.kernel.columns;

/**
 * The heap that a shard's entities, messages, sessions and remembered ids take, and its limit.
 * Bodies are stored elsewhere, with their own limit; but each message takes room here even without
 * its body, and so does each copy.
 *
 * <p>Code that creates or drops such objects counts them here at once, so that the sum is correct
 * after every fact, also in a replay. At the limit sends are refused; accepted messages may still
 * take an eighth more, for example for copies, and then wait. Each entity counts what it holds
 * ({@link HeldMemory}), so that no entity takes all of it.
 *
 * <p>Belongs to the thread of its machine.
 */
public final class StoredMemory {

  /** A row of a chunk, used or not, with the location of its body. */
  public static final int ROW_BYTES = 56;

  /** A chunk without its rows. */
  public static final int CHUNK_BYTES = 512;

  /** A session, with the numbers of its first messages. */
  public static final int SESSION_BYTES = 400;

  /** A slot for a remembered id, used or not. */
  public static final int ID_BYTES = 20;

  /** A page of slots for changed properties, used or not, with their locations. */
  public static final int OVERLAY_PAGE_BYTES = 128 + 20 * OverlayTable.PAGE;

  /** A lock, here and at its receiver; locks may take as much as messages. */
  private static final int LOCK_BYTES = 112;

  /** Rules may take this part of the limit of messages: a quarter. */
  private static final int RULES_PART = 4;

  /** Entities may take this part of the limit: a half, which leaves the other half to messages. */
  private static final int ENTITIES_PART = 2;

  private static final int LEAST_LOCKS = 1 << 16;

  private long most = Long.MAX_VALUE;
  private long taken;
  private long beside;
  private int staggered;
  private long rules;
  private long entities;
  private long held;
  private long staying;
  private long mostBodies = Long.MAX_VALUE;
  private long freeBodies = Long.MAX_VALUE;

  /** Sets the limit in bytes. */
  public void bound(long bytes) {
    most = bytes;
  }

  /** The limit in bytes. */
  public long most() {
    return most;
  }

  /** The bytes taken here. */
  public long taken() {
    return taken;
  }

  /** Sets the heap in bytes that the journal takes for stored messages. */
  public void beside(long bytes) {
    beside = bytes;
  }

  /** The heap in bytes that the journal takes for stored messages. */
  public long beside() {
    return beside;
  }

  /** The bytes taken, here and by the journal. */
  public long all() {
    return taken + beside;
  }

  /** The bytes that all entities hold together. */
  public long held() {
    return held;
  }

  /** The part of that which stays when messages go: sessions and remembered ids. */
  public long staying() {
    return staying;
  }

  /** The free bytes. */
  public long free() {
    return Math.max(0, most - all());
  }

  /**
   * Sets the memory for bodies; all of it is free when bodies are on disk.
   *
   * @param mostBytes all of it
   * @param freeBytes the free part, from 0 to {@code mostBytes}
   */
  public void bodies(long mostBytes, long freeBytes) {
    mostBodies = mostBytes;
    freeBodies = freeBytes;
  }

  /** The memory for bodies in bytes. */
  public long mostBodies() {
    return mostBodies;
  }

  /** The free part of the memory for bodies. */
  public long freeBodies() {
    return freeBodies;
  }

  /** Whether the limit is reached, so that sends are refused. */
  public boolean isFull() {
    return taken >= most - beside;
  }

  /**
   * Whether an eighth more is taken too, so that accepted messages make no copies and nothing may
   * grow.
   */
  public boolean isExhausted() {
    return taken - most + beside >= most / 8;
  }

  /** The most locks at a time. */
  public long mostLocks() {
    return Math.max(LEAST_LOCKS, most / LOCK_BYTES);
  }

  /**
   * Numbers from 0 below a bound, one after the other, by which capacities differ: the
   * subscriptions of a topic get the same messages, and would otherwise all be full at the same
   * one.
   */
  int stagger(int bound) {
    staggered = staggered == Integer.MAX_VALUE ? 0 : staggered + 1;
    return staggered % bound;
  }

  /**
   * The bytes of all rules of all topics, see {@link
   * io.peeklock.kernel.entity.RuleWeight#heapBytes}.
   */
  public long rules() {
    return rules;
  }

  /** The limit of rules, in addition to what messages take. */
  public long mostRules() {
    return most / RULES_PART;
  }

  /** Changes the bytes of rules. */
  public void rulesChanged(long bytes) {
    rules += bytes;
  }

  /**
   * The bytes of all entities, including deleted ones that are not emptied yet; part of the sum.
   */
  public long entities() {
    return entities;
  }

  /** The limit of entities. */
  public long mostEntities() {
    return most / ENTITIES_PART;
  }

  /** Changes the bytes of entities. */
  public void entitiesChanged(long bytes) {
    entities += bytes;
    taken += bytes;
  }

  /** Changes the bytes that stay when messages go. */
  void stayingChanged(long bytes) {
    staying += bytes;
  }

  /** Changes the bytes of messages, sessions and ids. */
  void heldChanged(long bytes) {
    held += bytes;
    taken += bytes;
  }

  /** Counts a new page of changed properties. */
  public void overlayPageCame() {
    taken += OVERLAY_PAGE_BYTES;
  }

  /** Counts a freed page of changed properties. */
  void overlayPageLeft() {
    taken -= OVERLAY_PAGE_BYTES;
  }
}

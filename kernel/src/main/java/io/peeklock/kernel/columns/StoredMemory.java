package io.peeklock.kernel.columns;

/**
 * What the entities of a shard, their messages and sessions and the ids that it remembers take of
 * the heap, and how much that may be. Bodies are elsewhere, and have a bound of their own; but a
 * message without a body takes room here, and so does each copy of one.
 *
 * <p>Whoever makes or drops such a thing counts it here at once, so that the sum is right after
 * every fact, those of a replay included. At its bound nothing is sent to the shard any more; what
 * it was sent before may make an eighth more, as copies do, and then waits. So that no entity takes
 * all of it, each counts what it holds, see {@link HeldMemory}.
 *
 * <p>Belongs to the thread of its machine.
 */
public final class StoredMemory {

  /** A place for a message in a chunk, taken or not, with where its body lies. */
  public static final int ROW_BYTES = 56;

  /** A chunk beside its rows. */
  public static final int CHUNK_BYTES = 512;

  /** A session, with the numbers of its first messages. */
  public static final int SESSION_BYTES = 400;

  /** A place for the id of a message that came, taken or not. */
  public static final int ID_BYTES = 20;

  /** A page of places for changed properties, taken or not, with where these lie. */
  public static final int OVERLAY_PAGE_BYTES = 128 + 20 * OverlayTable.PAGE;

  /** Locks take no more than messages do: so many bytes for each, here and at its receiver. */
  private static final int LOCK_BYTES = 112;

  /** Rules may take a quarter of what messages may take. */
  private static final int RULES_PART = 4;

  /** Entities may take a half of what all may take, so that messages have the other one. */
  private static final int ENTITIES_PART = 2;

  private static final int LEAST_LOCKS = 1 << 16;

  private long most = Long.MAX_VALUE;
  private long taken;
  private long beside;
  private int turns;
  private long rules;
  private long entities;
  private long held;
  private long staying;
  private long mostBodies = Long.MAX_VALUE;
  private long freeBodies = Long.MAX_VALUE;

  /** From now on this is all there is. */
  public void bound(long bytes) {
    most = bytes;
  }

  /** How much may be. */
  public long most() {
    return most;
  }

  /** Bytes that are taken here. */
  public long taken() {
    return taken;
  }

  /** From now on the heap has so many bytes elsewhere for what is stored: where its bodies lie. */
  public void beside(long bytes) {
    beside = bytes;
  }

  /** What the heap has for what is stored elsewhere. */
  public long beside() {
    return beside;
  }

  /** Bytes that are taken, here and elsewhere. */
  public long all() {
    return taken + beside;
  }

  /** What all entities hold here together, each of which counts its own. */
  public long held() {
    return held;
  }

  /** What of that stays when messages go: sessions, and ids that are remembered. */
  public long staying() {
    return staying;
  }

  /** Bytes that are free. */
  public long free() {
    return Math.max(0, most - all());
  }

  /**
   * From now on so much of the memory for bodies is free; never less than all where they are on
   * disk.
   *
   * @param mostBytes all of it
   * @param freeBytes from 0 to that
   */
  public void bodies(long mostBytes, long freeBytes) {
    mostBodies = mostBytes;
    freeBodies = freeBytes;
  }

  /** How much memory there is for bodies. */
  public long mostBodies() {
    return mostBodies;
  }

  /** How much of that is free. */
  public long freeBodies() {
    return freeBodies;
  }

  /** Whether nothing more is to be sent here. */
  public boolean isFull() {
    return taken >= most - beside;
  }

  /** Whether what was sent before may make no more either, and nothing that stays may grow. */
  public boolean isExhausted() {
    return taken - most + beside >= most / 8;
  }

  /** How many messages may be locked at a time. */
  public long mostLocks() {
    return Math.max(LEAST_LOCKS, most / LOCK_BYTES);
  }

  /**
   * Numbers from 0 on, below a bound, in turn. Whoever makes room for messages makes it larger or
   * smaller by that: the subscriptions of a topic get the same messages, and would else all be full
   * with the same one.
   */
  int turn(int bound) {
    turns = turns == Integer.MAX_VALUE ? 0 : turns + 1;
    return turns % bound;
  }

  /**
   * What all rules of all topics take, see {@link io.peeklock.kernel.entity.RuleWeight#heapBytes}.
   */
  public long rules() {
    return rules;
  }

  /** How much that may be; it is beside what messages take. */
  public long mostRules() {
    return most / RULES_PART;
  }

  /** Rules take so much more; below 0 for less. */
  public void rulesChanged(long bytes) {
    rules += bytes;
  }

  /** What all entities take, those that are still to be emptied included; a part of all. */
  public long entities() {
    return entities;
  }

  /** How much that may be. */
  public long mostEntities() {
    return most / ENTITIES_PART;
  }

  /** Entities take so much more; below 0 for less. */
  public void entitiesChanged(long bytes) {
    entities += bytes;
    taken += bytes;
  }

  /** So much more of what entities hold stays when messages go; below 0 for less. */
  void stayingChanged(long bytes) {
    staying += bytes;
  }

  /** Messages, sessions and ids of some entity take so much more; below 0 for less. */
  void heldChanged(long bytes) {
    held += bytes;
    taken += bytes;
  }

  /** A page of the table of changed properties is there. */
  public void overlayPageCame() {
    taken += OVERLAY_PAGE_BYTES;
  }

  /** A page of the table of changed properties is gone. */
  void overlayPageLeft() {
    taken -= OVERLAY_PAGE_BYTES;
  }
}

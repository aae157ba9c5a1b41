package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.SortedLongs;
import io.peeklock.kernel.entity.SessionIds;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.SharedSession;
import org.jspecify.annotations.Nullable;

/**
 * A message session of a queue: its available messages, its holder and its state. It exists as long
 * as it has messages, a state, or a holder (S-235).
 */
public final class Session {

  /** Its id as sessions are told apart (S-523). */
  final String key;

  /** Its id in the spelling of whatever came first of what it has. */
  public String id;

  public final int slot;

  /** The number of its messages in any state, scheduled ones included. */
  public long messages;

  /** The numbers of its available messages. */
  public final SortedLongs available = new SortedLongs();

  /** The numbers of the messages that its holder has. */
  public final SortedLongs locked = new SortedLongs();

  /** The numbers of its scheduled messages, and of deferred ones that the holder does not have. */
  public final SortedLongs aside = new SortedLongs();

  // ---- durable

  /** Where its state is stored; 0 for none (S-255). */
  public long stateBodyId;

  public int stateBytes;
  public long stateSetAtMillis;

  /** The newest snapshot that has its state, or began before it existed. */
  public int snapshot;

  // ---- volatile

  public @Nullable Receiver holder;
  public long deadlineMillis;

  /** By which another receiver may take it from its holder; null when none may (S-518). */
  public SharedSession.@Nullable Token token;

  /** Its place in the order of deadlines of locked sessions. */
  int heldAt;

  /** Whether its lock ended, but not yet the locks of all of its messages. */
  public boolean isEnding;

  /** Whether that end is a failed attempt for each of them (S-128). */
  public boolean endsCounted;

  /**
   * The message number by which it is offered to acceptors of any session; {@link SortedLongs#NONE}
   * when it is not.
   */
  public long offeredAs = SortedLongs.NONE;

  Session(String key, String id, int slot) {
    this.key = key;
    this.id = id;
    this.slot = slot;
  }

  /** The characters that are held of its id, in both spellings where they are two. */
  public int characters() {
    return SessionIds.charactersHeld(id, key);
  }

  /** Which of its lists a message belongs to that is not scheduled. */
  public SortedLongs lineOf(Chunk chunk, int row) {
    if (chunk.lockSlot(row) != 0) {
      return locked;
    }
    return chunk.isDeferred(row) ? aside : available;
  }

  /** The lowest message number from {@code number} on, {@link SortedLongs#NONE} for none. */
  public long from(long number) {
    long unlocked = Math.min(available.from(number), aside.from(number));
    return Math.min(unlocked, locked.from(number));
  }

  /** Whether a receiver holds it at this time. */
  public boolean isHeld(long monotonicMillis) {
    return holder != null && monotonicMillis < deadlineMillis;
  }

  /** Whether this receiver holds it, even past the deadline. */
  public boolean isHeldBy(Origin receiver) {
    return holder != null && holder.origin.equals(receiver);
  }

  /** Whether it is locked or ending, so that nobody else can lock it. */
  public boolean isTaken() {
    return holder != null || isEnding;
  }

  /** Whether it has no messages, state or holder, so that it can be forgotten. */
  boolean isOver() {
    return messages == 0 && stateBodyId == 0 && holder == null;
  }

  /** Whether its holder can get a message now. */
  boolean isReady() {
    return holder != null && !available.isEmpty() && holder.isServable();
  }

  /** The same when room is scarce. */
  boolean isReadyLightly() {
    return holder != null && !available.isEmpty() && holder.isServableLightly();
  }

  /** Whether its holder waits for the end of a drain. */
  boolean isDraining() {
    return holder != null && holder.draining;
  }

  /** Whether its holder's drain can end, as nothing more can be delivered. */
  boolean isDrained() {
    return holder != null && holder.draining && (available.isEmpty() || holder.demand() == 0);
  }
}

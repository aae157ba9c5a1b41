package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.SortedLongs;
import io.peeklock.kernel.request.Origin;
import org.jspecify.annotations.Nullable;

/**
 * One message session of a queue: which of its messages are available, who holds it, and its state.
 * It is there as long as it has messages, a state, or a holder (S-235).
 */
public final class Session {

  public final String id;
  public final int slot;

  /** Its messages in any state, scheduled ones too. */
  public long messages;

  /** Numbers of those that are available. */
  public final SortedLongs available = new SortedLongs();

  /** Numbers of those that its holder has. */
  public final SortedLongs locked = new SortedLongs();

  /** Numbers of those that are deferred and that nobody has, or that wait for their time. */
  public final SortedLongs aside = new SortedLongs();

  // ---- durable

  /** Where its state is stored; 0 for none (S-255). */
  public long stateBodyId;

  public int stateBytes;
  public long stateSetAtMillis;

  /** The newest snapshot that has its state, or began before it was here. */
  public int snapshot;

  // ---- volatile

  public @Nullable Receiver holder;
  public long deadlineMillis;

  /** Its place among those that have a holder, in order of their deadlines. */
  int heldAt;

  /** Whether its lock is over, and not yet those of all of its messages. */
  public boolean isEnding;

  /** Whether that is a failed attempt for each of them (S-128). */
  public boolean endsCounted;

  /** Under which number it is offered to those who take any; {@link SortedLongs#NONE} for not. */
  public long offeredAs = SortedLongs.NONE;

  Session(String id, int slot) {
    this.id = id;
    this.slot = slot;
  }

  /** Among which of its numbers a message belongs that is not scheduled. */
  public SortedLongs lineOf(Chunk chunk, int row) {
    if (chunk.lockSlot(row) != 0) {
      return locked;
    }
    return chunk.isDeferred(row) ? aside : available;
  }

  /** The lowest number of its messages from this one on, {@link SortedLongs#NONE} for none. */
  public long from(long number) {
    long unlocked = Math.min(available.from(number), aside.from(number));
    return Math.min(unlocked, locked.from(number));
  }

  /** Whether a receiver holds it at this time. */
  public boolean isHeld(long monotonicMillis) {
    return holder != null && monotonicMillis < deadlineMillis;
  }

  /** Whether this receiver has it, whatever the time is. */
  public boolean isHeldBy(Origin receiver) {
    return holder != null && holder.origin.equals(receiver);
  }

  /** Whether nobody else can have it. */
  public boolean isTaken() {
    return holder != null || isEnding;
  }

  /** Whether nothing is left of it. */
  boolean isOver() {
    return messages == 0 && stateBodyId == 0 && holder == null;
  }

  /** Whether its holder can be given a message now. */
  boolean isReady() {
    return holder != null && !available.isEmpty() && holder.isServable();
  }

  /** The same where room is scarce. */
  boolean isReadyLightly() {
    return holder != null && !available.isEmpty() && holder.isServableLightly();
  }

  /** Whether its holder waits for the end of a drain. */
  boolean isDraining() {
    return holder != null && holder.draining;
  }

  /** Whether its holder wants the rest of its demand back, and gets nothing more before. */
  boolean isDrained() {
    return holder != null && holder.draining && (available.isEmpty() || holder.demand() == 0);
  }
}

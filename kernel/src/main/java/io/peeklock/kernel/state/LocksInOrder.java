package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.DeadlineHeap;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A walk along the locks of a queue, the earliest deadline first. Changes nothing. */
public final class LocksInOrder {

  private final LockTable locks;
  private final @Nullable DeadlineHeap early;
  private final PriorityQueue<Integer> places; // in the heap, of those that may be next
  private int linked;

  public LocksInOrder(LockTable locks, DeadlineList list) {
    this.locks = locks;
    this.early = list.early;
    this.linked = list.head;
    this.places = new PriorityQueue<>(Comparator.comparingLong(this::earlyDeadline));
    offer(0);
  }

  private void offer(int place) {
    if (early != null && place < early.size()) {
      places.add(place);
    }
  }

  private long earlyDeadline(@Nullable Integer place) {
    return early == null || place == null ? Long.MAX_VALUE : locks.deadline(early.at(place));
  }

  /** The slot of the next lock, {@link LockTable#NONE} for none. */
  public int next() {
    Integer place = places.peek();
    if (early == null || place == null || linkedDeadline() <= earlyDeadline(place)) {
      int slot = linked;
      linked = slot == LockTable.NONE ? slot : locks.after(slot);
      return slot;
    }
    places.remove();
    offer(2 * place + 1);
    offer(2 * place + 2);
    return early.at(place);
  }

  private long linkedDeadline() {
    return linked == LockTable.NONE ? Long.MAX_VALUE : locks.deadline(linked);
  }
}

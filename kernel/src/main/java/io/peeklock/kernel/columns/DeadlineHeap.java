package io.peeklock.kernel.columns;

import java.util.Arrays;

/**
 * A binary heap of slots, the earliest deadline first. Slots know their places, so that any slot
 * can be added, moved or removed in logarithmic time.
 */
public final class DeadlineHeap {

  private static final int[] EMPTY = {};
  private static final int SMALL = 64;

  private final Slots slots;
  private int[] heap = EMPTY;
  private int size;

  /** What the slots stand for. */
  public interface Slots {

    long deadline(int slot);

    /** Called when a slot gets another place. */
    void moved(int slot, int place);
  }

  public DeadlineHeap(Slots slots) {
    this.slots = slots;
  }

  public int size() {
    return size;
  }

  /** The slot at a place, from 0; the children of place p are at 2p + 1 and 2p + 2. */
  public int at(int place) {
    return heap[place];
  }

  /** Adds a slot. */
  public void add(int slot) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, Math.max(4, size * 2));
    }
    rise(size++, slot);
  }

  /** Removes the slot at this place. */
  public void remove(int place) {
    int last = heap[--size];
    if (place < size) {
      put(place, last);
    }
    if (size == 0 && heap.length > SMALL) {
      heap = EMPTY;
    }
  }

  /** Moves the slot at this place after its deadline changed. */
  public void changed(int place) {
    put(place, heap[place]);
  }

  private void put(int place, int slot) {
    long deadline = slots.deadline(slot);
    if (place > 0 && slots.deadline(heap[(place - 1) / 2]) > deadline) {
      rise(place, slot);
    } else {
      sink(place, slot, deadline);
    }
  }

  private void rise(int from, int slot) {
    long deadline = slots.deadline(slot);
    int place = from;
    while (place > 0 && slots.deadline(heap[(place - 1) / 2]) > deadline) {
      set(place, heap[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    set(place, slot);
  }

  private void sink(int from, int slot, long deadline) {
    int place = from;
    int next = earlierBehind(place);
    while (next < size && slots.deadline(heap[next]) < deadline) {
      set(place, heap[next]);
      place = next;
      next = earlierBehind(place);
    }
    set(place, slot);
  }

  private int earlierBehind(int place) {
    int one = 2 * place + 1;
    int other = one + 1;
    return other < size && slots.deadline(heap[other]) < slots.deadline(heap[one]) ? other : one;
  }

  private void set(int place, int slot) {
    heap[place] = slot;
    slots.moved(slot, place);
  }
}

package io.peeklock.kernel.columns;

import java.util.Arrays;

/** Queues in the order of their turns. */
public final class TurnOrder {

  private static final int NOWHERE = -1;

  private long[] turns = new long[0];
  private int[] places = new int[0];
  private final DeadlineHeap heap =
      new DeadlineHeap(
          new DeadlineHeap.Slots() {
            @Override
            public long deadline(int slot) {
              return turns[slot];
            }

            @Override
            public void moved(int slot, int place) {
              places[slot] = place;
            }
          });

  /** The first turn; {@link Long#MAX_VALUE} for none. */
  public long first() {
    return heap.size() == 0 ? Long.MAX_VALUE : turns[heap.at(0)];
  }

  /** The queue that has the first turn; 0 for none, which is no queue's number. */
  public int firstQueue() {
    return heap.size() == 0 ? 0 : heap.at(0);
  }

  /** Sets the turn of a queue; {@link Long#MAX_VALUE} for none. */
  public void set(int queue, long turn) {
    growTo(queue + 1);
    turns[queue] = turn;
    int place = places[queue];
    if (turn == Long.MAX_VALUE) {
      if (place != NOWHERE) {
        places[queue] = NOWHERE;
        heap.remove(place);
      }
    } else if (place == NOWHERE) {
      heap.add(queue);
    } else {
      heap.changed(place);
    }
  }

  private void growTo(int size) {
    int before = turns.length;
    if (size > before) {
      int capacity = Math.max(size, Math.max(16, before * 2));
      turns = Arrays.copyOf(turns, capacity);
      places = Arrays.copyOf(places, capacity);
      Arrays.fill(turns, before, capacity, Long.MAX_VALUE);
      Arrays.fill(places, before, capacity, NOWHERE);
    }
  }
}

package io.peeklock.kernel.queue;

import java.util.Arrays;

/**
 * Queues by their numbers, the one first for which something is to be done first: so that a look at
 * the time looks at those alone for which it has come, however many others there are. A time may be
 * too early, never too late.
 */
final class DueOrder {

  private static final int NOWHERE = -1;

  private long[] times = new long[0];
  private int[] places = new int[0];
  private final DeadlineHeap heap =
      new DeadlineHeap(
          new DeadlineHeap.Slots() {
            @Override
            public long deadline(int slot) {
              return times[slot];
            }

            @Override
            public void moved(int slot, int place) {
              places[slot] = place;
            }
          });

  /** Nothing is to be done before this time; {@link Long#MAX_VALUE} for nothing at all. */
  long first() {
    return heap.size() == 0 ? Long.MAX_VALUE : times[heap.at(0)];
  }

  /** The queue for which that is, 0 for none, as none has this number. */
  int firstQueue() {
    return heap.size() == 0 ? 0 : heap.at(0);
  }

  /** There may be something to do for a queue from this time on. */
  void note(int queue, long time) {
    if (time < at(queue)) {
      set(queue, time);
    }
  }

  private long at(int queue) {
    return queue < times.length ? times[queue] : Long.MAX_VALUE;
  }

  /** There is nothing to do for a queue before this time, whatever was noted. */
  void set(int queue, long time) {
    growTo(queue + 1);
    times[queue] = time;
    int place = places[queue];
    if (time == Long.MAX_VALUE) {
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
    int before = times.length;
    if (size > before) {
      int capacity = Math.max(size, Math.max(16, before * 2));
      times = Arrays.copyOf(times, capacity);
      places = Arrays.copyOf(places, capacity);
      Arrays.fill(times, before, capacity, Long.MAX_VALUE);
      Arrays.fill(places, before, capacity, NOWHERE);
    }
  }

  /** Some of those whose time has come, at most so many; the first of all is among them. */
  int[] due(long now, int most) {
    int[] due = new int[16];
    int count = 0;
    if (first() <= now) {
      due[count++] = 0;
    }
    for (int looked = 0; looked < count && count < most; looked++) {
      for (int next = 2 * due[looked] + 1; next <= 2 * due[looked] + 2 && count < most; next++) {
        if (next < heap.size() && times[heap.at(next)] <= now) {
          due = count == due.length ? Arrays.copyOf(due, count * 2) : due;
          due[count++] = next;
        }
      }
    }
    int[] queues = new int[count];
    for (int i = 0; i < count; i++) {
      queues[i] = heap.at(due[i]);
    }
    return queues;
  }
}

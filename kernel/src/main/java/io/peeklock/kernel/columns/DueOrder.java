package io.peeklock.kernel.columns;

import java.util.Arrays;

/**
 * Queues by when they have work, so that a tick sees only those whose time has come, however many
 * others there are. These take turns by their numbers, in rounds: each has its turn within one
 * round, whatever work others get meanwhile. A time may be too early, never too late. Volatile.
 */
public final class DueOrder {

  private static final int NONE = -1;

  /**
   * A tree over all numbers: the earliest time below each node, from 1, the root; those below node
   * n are 2n and 2n + 1. The second half are the queues themselves.
   */
  private long[] earliest = {Long.MAX_VALUE, Long.MAX_VALUE};

  private int next;

  /** The earliest time of all; {@link Long#MAX_VALUE} for none. */
  public long first() {
    return earliest[1];
  }

  /**
   * Notes that a queue may have work from this time on; a later time than before changes nothing.
   */
  public void note(int queue, long time) {
    if (time < at(queue)) {
      set(queue, time);
    }
  }

  private int capacity() {
    return earliest.length / 2;
  }

  private long at(int queue) {
    return queue < capacity() ? earliest[capacity() + queue] : Long.MAX_VALUE;
  }

  /** Sets the time of a queue, replacing earlier notes; {@link Long#MAX_VALUE} for no work. */
  public void set(int queue, long time) {
    if (time == at(queue)) {
      return;
    }
    if (queue >= capacity()) {
      growTo(queue + 1);
    }
    int node = capacity() + queue;
    earliest[node] = time;
    while (node > 1 && renew(node / 2)) {
      node /= 2;
    }
  }

  /** Updates the earliest time below a node, and returns whether it changed. */
  private boolean renew(int node) {
    long before = earliest[node];
    earliest[node] = Math.min(earliest[2 * node], earliest[2 * node + 1]);
    return earliest[node] != before;
  }

  private void growTo(int size) {
    long[] before = earliest;
    int capacity = Math.max(16, Integer.highestOneBit(size - 1) * 2);
    earliest = new long[2 * capacity];
    Arrays.fill(earliest, Long.MAX_VALUE);
    System.arraycopy(before, before.length / 2, earliest, capacity, before.length / 2);
    for (int node = capacity - 1; node > 0; node--) {
      renew(node);
    }
  }

  /** Gives the next turn to the queue with this number, or the next higher one. */
  public void resumeFrom(int queue) {
    next = queue;
  }

  /** The queues whose time has come, in order of turns, at most {@code most}. */
  public int[] due(long now, int most) {
    if (first() > now) {
      return new int[0];
    }
    int[] due = new int[most];
    int count = 0;
    int queue = dueFrom(next, now);
    while (queue != NONE && count < most) {
      due[count++] = queue;
      queue = dueFrom(queue + 1, now);
    }
    queue = dueFrom(0, now);
    while (queue != NONE && queue < next && count < most) {
      due[count++] = queue;
      queue = dueFrom(queue + 1, now);
    }
    return Arrays.copyOf(due, count);
  }

  /** The first queue from this number on whose time has come. */
  private int dueFrom(int from, long now) {
    if (from >= capacity()) {
      return NONE;
    }
    int node = capacity() + from;
    while (earliest[node] > now) {
      while (node % 2 == 1) {
        node /= 2;
      }
      if (node == 0) {
        return NONE; // there is nothing to the right of the root
      }
      node++;
    }
    while (node < capacity()) {
      node = earliest[2 * node] <= now ? 2 * node : 2 * node + 1;
    }
    return node - capacity();
  }
}

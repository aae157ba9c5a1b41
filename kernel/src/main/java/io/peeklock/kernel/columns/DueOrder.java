package io.peeklock.kernel.columns;

import java.util.Arrays;

/**
 * When something is to be done for which queue, so that a look at the time looks at those alone for
 * which it has come, however many others there are. These take turns by their numbers, round and
 * round: each has its own within one round, whatever comes to the others meanwhile. A time may be
 * too early, never too late. Volatile.
 */
public final class DueOrder {

  private static final int NONE = -1;

  /**
   * A tree over all numbers: the earliest time below each node, from 1, the root; those below node
   * n are 2n and 2n + 1. The second half are the queues themselves.
   */
  private long[] earliest = {Long.MAX_VALUE, Long.MAX_VALUE};

  private int next;

  /** Nothing is to be done before this time; {@link Long#MAX_VALUE} for nothing at all. */
  public long first() {
    return earliest[1];
  }

  /** There may be something to do for a queue from this time on. */
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

  /** There is nothing to do for a queue before this time, whatever was noted. */
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

  /** Whether what is earliest below a node changed. */
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

  /** The queue with this number, or the next higher one, has the next turn. */
  public void resumeFrom(int queue) {
    next = queue;
  }

  /** Those whose time has come, in turn, at most so many. */
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

  /** The first from this number on whose time has come. */
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

package io.peeklock.kernel.columns;

import java.util.Arrays;

/** A growing list of primitive numbers. */
public final class LongList {

  private static final long[] EMPTY = {};

  private long[] values = EMPTY;
  private int size;

  public void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.max(16, size * 2));
    }
    values[size++] = value;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public long get(int i) {
    return values[i];
  }

  /** Removes and returns the last value; there must be one. */
  public long removeLast() {
    return values[--size];
  }

  void clear() {
    size = 0;
  }

  /** The values, in a new array of exactly their number. */
  public long[] toArray() {
    return size == 0 ? EMPTY : Arrays.copyOf(values, size);
  }

  /** The values as {@link #toArray}; the list is empty afterwards. */
  public long[] take() {
    long[] taken = toArray();
    size = 0;
    return taken;
  }
}

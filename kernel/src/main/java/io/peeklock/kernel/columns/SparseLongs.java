package io.peeklock.kernel.columns;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A column of a chunk as {@link SparseInts}, for longer numbers. */
final class SparseLongs {

  private long @Nullable [] values;

  long get(int row) {
    return values == null ? 0 : values[row];
  }

  void set(int row, long value, int capacity) {
    if (values == null) {
      if (value == 0) {
        return;
      }
      values = new long[capacity];
    }
    values[row] = value;
  }

  void grow(int capacity) {
    if (values != null) {
      values = Arrays.copyOf(values, capacity);
    }
  }

  void shift(int from, int to, int rows) {
    if (values != null) {
      System.arraycopy(values, from, values, to, rows);
    }
  }
}

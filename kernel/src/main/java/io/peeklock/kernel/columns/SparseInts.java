package io.peeklock.kernel.columns;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A column of a chunk that is 0 nearly everywhere, and takes no memory while it is 0 everywhere.
 */
final class SparseInts {

  private int @Nullable [] values;

  int get(int row) {
    return values == null ? 0 : values[row];
  }

  void set(int row, int value, int capacity) {
    if (values == null) {
      if (value == 0) {
        return;
      }
      values = new int[capacity];
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

package io.peeklock.kernel.columns;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A column of times in a chunk: four bytes each while they are within 24 days of the first, eight
 * otherwise, none while all are {@code FOREVER}.
 */
final class TimeColumn {

  private static final int NEVER = Integer.MIN_VALUE;

  private long base;
  private boolean based;
  private int @Nullable [] narrow;
  private long @Nullable [] wide;

  long get(int row) {
    if (wide != null) {
      return wide[row];
    }
    if (narrow == null || narrow[row] == NEVER) {
      return FOREVER;
    }
    return base + narrow[row];
  }

  void set(int row, long millis, int capacity) {
    if (wide == null && !setNarrow(row, millis, capacity)) {
      widen(capacity);
    }
    if (wide != null) {
      wide[row] = millis;
    }
  }

  private boolean setNarrow(int row, long millis, int capacity) {
    if (narrow == null) {
      if (millis == FOREVER) {
        return true;
      }
      narrow = new int[capacity];
      Arrays.fill(narrow, NEVER);
    }
    if (millis == FOREVER) {
      narrow[row] = NEVER;
      return true;
    }
    if (!based) {
      base = millis;
      based = true;
    }
    long delta = millis - base; // times are not negative, so this cannot overflow
    if (delta <= NEVER || delta > Integer.MAX_VALUE) {
      return false;
    }
    narrow[row] = (int) delta;
    return true;
  }

  private void widen(int capacity) {
    long[] widened = new long[capacity];
    for (int row = 0; row < capacity; row++) {
      widened[row] = get(row);
    }
    wide = widened;
    narrow = null;
  }

  void grow(int capacity) {
    if (wide != null) {
      wide = Arrays.copyOf(wide, capacity);
    } else if (narrow != null) {
      int before = narrow.length;
      narrow = Arrays.copyOf(narrow, capacity);
      Arrays.fill(narrow, before, capacity, NEVER);
    }
  }

  void shift(int from, int to, int rows) {
    if (wide != null) {
      System.arraycopy(wide, from, wide, to, rows);
    } else if (narrow != null) {
      System.arraycopy(narrow, from, narrow, to, rows);
    }
  }

  /** Forgets all times. */
  void clear() {
    wide = null;
    based = false;
    if (narrow != null) {
      Arrays.fill(narrow, NEVER);
    }
  }
}

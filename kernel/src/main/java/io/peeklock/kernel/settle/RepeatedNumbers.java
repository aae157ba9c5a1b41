package io.peeklock.kernel.settle;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds numbers that a client names twice in one request. */
public final class RepeatedNumbers {

  private RepeatedNumbers() {}

  /**
   * Marks the values that occurred earlier in the array.
   *
   * @return null when there are none, which costs no memory when the values ascend
   */
  public static boolean @Nullable [] in(long[] values, int count) {
    if (ascend(values, count)) {
      return null;
    }
    long[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    if (ascend(sorted, count)) {
      return null;
    }
    boolean[] seen = new boolean[count];
    boolean[] repeated = new boolean[count];
    for (int i = 0; i < count; i++) {
      int at = firstOf(sorted, values[i]);
      repeated[i] = seen[at];
      seen[at] = true;
    }
    return repeated;
  }

  private static boolean ascend(long[] values, int count) {
    for (int i = 1; i < count; i++) {
      if (values[i - 1] >= values[i]) {
        return false;
      }
    }
    return true;
  }

  private static int firstOf(long[] sorted, long value) {
    int low = 0;
    int high = sorted.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

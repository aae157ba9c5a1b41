package io.peeklock.store;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A set of sequence numbers in few ranges. */
final class NumberRanges {
  private static final int SAID = 20;

  /** The end of each, exclusive, by its beginning. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  private long count;

  /** Adds numbers that are not in it. */
  void add(long from, long end) {
    if (from >= end) {
      return;
    }
    count += end - from;
    var first = from;
    var last = end;
    Map.Entry<Long, Long> before = ranges.floorEntry(from);
    if (before != null && before.getValue() == from) {
      first = before.getKey();
    }
    var after = ranges.remove(end);
    if (after != null) {
      last = after;
    }
    ranges.put(first, last);
  }

  private Map.@Nullable Entry<Long, Long> around(long number) {
    Map.Entry<Long, Long> range = ranges.floorEntry(number);
    return range != null && number < range.getValue() ? range : null;
  }

  boolean has(long number) {
    return around(number) != null;
  }

  /** Takes a number out; false when it is not in it. */
  boolean remove(long number) {
    var range = around(number);
    if (range == null) {
      return false;
    }
    count--;
    ranges.remove(range.getKey());
    if (range.getKey() < number) {
      ranges.put(range.getKey(), number);
    }
    if (number + 1 < range.getValue()) {
      ranges.put(number + 1, range.getValue());
    }
    return true;
  }

  /** How many numbers there are. */
  long count() {
    return count;
  }

  /** The first ranges, for people. */
  @Override
  public String toString() {
    var text = new StringBuilder();
    var said = 0;
    for (var range : ranges.entrySet()) {
      if (said == SAID) {
        return text.append(", and ").append(ranges.size() - SAID).append(" more").toString();
      }
      text.append(said == 0 ? "" : ", ").append(range.getKey());
      if (range.getValue() > range.getKey() + 1) {
        text.append('-').append(range.getValue() - 1);
      }
      said++;
    }
    return text.toString();
  }
}

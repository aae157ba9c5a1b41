package io.peeklock.journal.checkpoint;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The segments at the time of a checkpoint, and which of them a body belongs to by its id. */
public final class SegmentTable {
  private static final int COLUMNS = 3;

  private final long[] table;
  private final long[] firstBodyIds;

  /** Reads the table of a checkpoint. */
  public SegmentTable(long[] table) {
    this.table = table;
    this.firstBodyIds = new long[table.length / COLUMNS];
    for (var i = 0; i < firstBodyIds.length; i++) {
      firstBodyIds[i] = table[COLUMNS * i + 2];
    }
  }

  /** The number of segments, which have places from 0. */
  public int size() {
    return firstBodyIds.length;
  }

  /** The number of one. */
  public long number(int place) {
    return table[COLUMNS * place];
  }

  /** The index of the first batch of one. */
  public long firstIndex(int place) {
    return table[COLUMNS * place + 1];
  }

  /** The indexes of the first batches by number of the segment, up to {@code upTo}. */
  public Map<Long, Long> firstIndexes(long upTo) {
    var all = new HashMap<Long, Long>();
    for (var place = 0; place < size(); place++) {
      if (firstIndex(place) <= upTo) {
        all.put(number(place), firstIndex(place));
      }
    }
    return all;
  }

  /** The lowest id that a body of a segment can have. */
  public long firstBodyId(int place) {
    return firstBodyIds[place];
  }

  /** The place of the segment that a body belongs to; -1 for none. */
  public int placeOf(long bodyId) {
    var found = Arrays.binarySearch(firstBodyIds, bodyId);
    return found >= 0 ? lastOf(found) : -found - 2;
  }

  /** Of several segments with the same first body id only the last has bodies. */
  private int lastOf(int found) {
    var place = found;
    while (place + 1 < firstBodyIds.length && firstBodyIds[place + 1] == firstBodyIds[place]) {
      place++;
    }
    return place;
  }
}

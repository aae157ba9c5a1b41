package io.peeklock.journal.checkpoint;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The segments that were there when a checkpoint was made, and to which of them a body belongs by
 * its id.
 */
public final class SegmentTable {
  private static final int COLUMNS = 3;

  private final long[] table;
  private final long[] firstBodyIds;

  /** A table as a checkpoint tells it. */
  public SegmentTable(long[] table) {
    this.table = table;
    this.firstBodyIds = new long[table.length / COLUMNS];
    for (var i = 0; i < firstBodyIds.length; i++) {
      firstBodyIds[i] = table[COLUMNS * i + 2];
    }
  }

  /** How many there are; they have places from 0. */
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

  /** The indexes of their first batches by their numbers, without those that began later. */
  public Map<Long, Long> firstIndexes(long upTo) {
    var all = new HashMap<Long, Long>();
    for (var place = 0; place < size(); place++) {
      if (firstIndex(place) <= upTo) {
        all.put(number(place), firstIndex(place));
      }
    }
    return all;
  }

  /** No body in one has a lower id. */
  public long firstBodyId(int place) {
    return firstBodyIds[place];
  }

  /** The place of the one that a body belongs to; -1 for none. */
  public int placeOf(long bodyId) {
    var found = Arrays.binarySearch(firstBodyIds, bodyId);
    return found >= 0 ? lastOf(found) : -found - 2;
  }

  /** Segments without bodies share the first id of the next one; the bodies are in the last. */
  private int lastOf(int found) {
    var place = found;
    while (place + 1 < firstBodyIds.length && firstBodyIds[place + 1] == firstBodyIds[place]) {
      place++;
    }
    return place;
  }
}

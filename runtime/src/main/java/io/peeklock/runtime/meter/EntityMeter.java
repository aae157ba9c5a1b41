package io.peeklock.runtime.meter;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counts of one queue, topic, subscription or dead-letter queue. One thread writes, any may
 * read.
 */
public class EntityMeter {
  private static final int COUNTS = Count.values().length;

  /** By {@link Count}: one array object, as thousands of meters are written in turn. */
  private final AtomicLongArray counts = new AtomicLongArray(COUNTS);

  EntityMeter() {}

  /** The count since the broker started. */
  public long read(Count what) {
    return counts.get(place(what));
  }

  /** Adds to a count; no atomic update is needed, as only the shard's thread writes. */
  void add(Count what, long more) {
    var at = place(what);
    counts.lazySet(at, counts.getPlain(at) + more);
  }

  @SuppressWarnings("EnumOrdinal") // the places are used here only
  private static int place(Count what) {
    return what.ordinal();
  }
}

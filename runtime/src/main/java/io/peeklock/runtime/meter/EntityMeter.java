package io.peeklock.runtime.meter;

import java.util.concurrent.atomic.AtomicLongArray;

/** The counts of one queue, topic, subscription or dead-letter queue. One writes, any may read. */
public class EntityMeter {
  private static final int COUNTS = Count.values().length;

  /** By {@link Count}: one object, for thousands of these are written in turn. */
  private final AtomicLongArray counts = new AtomicLongArray(COUNTS);

  EntityMeter() {}

  /** How many there were since the broker started. */
  public long read(Count what) {
    return counts.get(place(what));
  }

  /** Only the shard's thread writes, so nothing has to be exclusive. */
  void add(Count what, long more) {
    var at = place(what);
    counts.lazySet(at, counts.getPlain(at) + more);
  }

  @SuppressWarnings("EnumOrdinal") // the places are nobody else's
  private static int place(Count what) {
    return what.ordinal();
  }
}

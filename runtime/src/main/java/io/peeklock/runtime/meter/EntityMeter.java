package io.peeklock.runtime.meter;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The counts of one queue, topic, subscription or dead-letter queue. One writes, any may read. */
public class EntityMeter {
  private final Map<Count, AtomicLong> counts = new EnumMap<>(Count.class);

  EntityMeter() {
    for (var what : Count.values()) {
      counts.put(what, new AtomicLong());
    }
  }

  /** How many there were since the broker started. */
  public long read(Count what) {
    return of(what).get();
  }

  /** Only the home writes, so nothing has to be exclusive. */
  void add(Count what, long more) {
    var count = of(what);
    count.lazySet(count.getPlain() + more);
  }

  private AtomicLong of(Count what) {
    var count = counts.get(what);
    if (count == null) {
      throw new IllegalArgumentException("there is no count of " + what);
    }
    return count;
  }
}

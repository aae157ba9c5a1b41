package io.peeklock.runtime.meter;

import io.peeklock.kernel.entity.QueueId;

/** Counts what happens to entities. */
@FunctionalInterface
interface EntityCounter {

  /** Adds to a count. */
  void add(QueueId queue, Count what, long more);
}

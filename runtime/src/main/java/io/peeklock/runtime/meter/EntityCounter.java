package io.peeklock.runtime.meter;

import io.peeklock.kernel.entity.QueueId;

/** Where what happens to an entity is counted. */
@FunctionalInterface
interface EntityCounter {

  /** Counts so many more of something. */
  void add(QueueId queue, Count what, long more);
}

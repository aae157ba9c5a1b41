package io.peeklock.simulator.world;

/** The threads of a broker's process; in the simulator each is a line of tasks. */
enum SimThread {
  SHARD,
  LOG,
  READS,
  FILES,
  CHECKPOINTS,
  COMPACTION,
  EVENT_LOOP,
  CLIENTS
}

package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.Optional;

/** The stages of a shard that may have to wait, each with its watch. */
@ShardThread
record Stages(StageWatch due, StageWatch moving, StageWatch reading, StageWatch settling) {

  Stages(ShardExecutor shardExecutor, ShardClock clock) {
    this(
        new StageWatch("What is scheduled", shardExecutor, clock),
        new StageWatch("Forwarding", shardExecutor, clock),
        new StageWatch("Reading from the disk", shardExecutor, clock),
        new StageWatch("Settling with changed properties", shardExecutor, clock));
  }

  /** A sentence about the first stage that stalls; empty for none. */
  Optional<String> trouble() {
    return due.trouble().or(moving::trouble).or(reading::trouble).or(settling::trouble);
  }

  /** How long the slowest stage has stalled, in milliseconds; 0 when none has. */
  @AnyThread
  long stoodMillis() {
    return Math.max(
        Math.max(due.stoodMillis(), moving.stoodMillis()),
        Math.max(reading.stoodMillis(), settling.stoodMillis()));
  }
}

package io.peeklock.runtime;

import io.peeklock.runtime.thread.ShardThread;

/**
 * Limits a step in decisions, bytes of bodies, and time. The rest is left to the next step, so that
 * other tasks of the shard's thread run between.
 */
@ShardThread
final class StepBudget {
  /** A batch is closed above this many bytes of bodies, so that one sync stays short. */
  private static final long MOST_BYTES = 1 << 20;

  private static final int MOST_DECISIONS = 1_024;
  private static final int MOST_SLICES = 8;
  private static final long MOST_NANOS = 4_000_000;

  private final ShardClock clock;
  private final long until;
  private long began;
  private int decisions;

  /** The budget of a step that begins now. */
  StepBudget(ShardClock clock) {
    this.clock = clock;
    this.began = clock.workNanos();
    this.until = began + MOST_NANOS;
  }

  /** Ends a decision; returns the nanoseconds that it took. */
  long decided() {
    var now = clock.workNanos();
    var took = now - began;
    began = now;
    decisions++;
    return took;
  }

  /** Whether another decision may be made into this draft. */
  boolean allowsDecision(BatchBuilder draft) {
    return decisions < MOST_DECISIONS && draft.bodyBytes < MOST_BYTES && began - until < 0;
  }

  /** Whether a stage may do this slice: always the first, so that no stage waits for ever. */
  boolean allowsSlice(int slice, BatchBuilder draft) {
    return slice == 0
        || (slice < MOST_SLICES && draft.bodyBytes < MOST_BYTES && clock.workNanos() - until < 0);
  }
}

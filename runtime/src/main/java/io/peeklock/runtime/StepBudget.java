package io.peeklock.runtime;

import io.peeklock.runtime.thread.ShardThread;

/**
 * How long a step goes on: to so many decisions, so many bytes of bodies, so much time. What is
 * left is for the next step, and whatever else runs on the shard's thread comes between.
 */
@ShardThread
final class StepBudget {
  /** A batch is closed above so many bytes of bodies, so that one sync stays short. */
  private static final long MOST_BYTES = 1 << 20;

  private static final int MOST_DECISIONS = 1_024;
  private static final int MOST_SLICES = 8;
  private static final long MOST_NANOS = 4_000_000;

  private final ShardClock clock;
  private final long until;
  private long began;
  private int decisions;

  /** Of a step that begins now. */
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

  /** Whether a stage may do this slice: always the first, or it might wait for ever. */
  boolean allowsSlice(int slice) {
    return slice == 0 || (slice < MOST_SLICES && clock.workNanos() - until < 0);
  }
}

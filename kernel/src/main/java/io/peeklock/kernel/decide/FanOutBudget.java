package io.peeklock.kernel.decide;

import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.TopicState;

/**
 * What making copies may still cost in one decision, so that no batch holds up everybody however
 * many subscriptions its topic has. Counted in steps of evaluation; a copy costs as much as some of
 * them, to make and to apply, and the first one for a subscription more: it has to fetch what the
 * machine's caches no longer hold when there are hundreds of subscriptions.
 */
public final class FanOutBudget {

  /** A few milliseconds: 16,384 copies, or all the steps that rules may take for one message. */
  static final long STEPS = 1 << 20;

  private static final int STEPS_PER_COPY = 64;
  private static final int STEPS_PER_SUBSCRIPTION = 16 * STEPS_PER_COPY;
  private static final int BYTES_PER_STEP_SHIFT = 3;

  /** Of the memory that is free the copies of one decision take no more, or they fill it all. */
  private static final int FREE_PART = 4;

  /** What one takes at most, but for the characters of its session's id: it may begin one. */
  private static final int COPY_BYTES = StoredMemory.ROW_BYTES + StoredMemory.SESSION_BYTES;

  private final int mostAtOnce;
  private long left;

  /** Of a decision that begins now. */
  public FanOutBudget(MachineState state) {
    mostAtOnce = state.mostAtOnce;
    long copies = state.stored.free() / FREE_PART / COPY_BYTES;
    left = Math.max(STEPS_PER_COPY, Math.min(STEPS / STEPS_PER_COPY, copies) * STEPS_PER_COPY);
  }

  /** Rules were evaluated for a message, which is one that was looked at. */
  public void evaluated(long steps) {
    left -= steps + 1;
  }

  /** A subscription gets its first copy of this decision. */
  public void reached() {
    left -= STEPS_PER_SUBSCRIPTION;
  }

  /** Copies were made. */
  public void copied(int copies) {
    left -= (long) copies * STEPS_PER_COPY;
  }

  /** Properties of a copy's own were written. */
  public void wrote(int bytes) {
    left -= bytes >> BYTES_PER_STEP_SHIFT;
  }

  /** For how many subscriptions one message is copied at most, see {@link TopicState}. */
  public int mostAtOnce() {
    return mostAtOnce;
  }

  /** Whether no further message is to be copied in this decision. */
  public boolean isSpent() {
    return left <= 0;
  }
}

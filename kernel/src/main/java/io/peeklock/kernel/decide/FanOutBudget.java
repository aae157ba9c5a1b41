package io.peeklock.kernel.decide;

import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.TopicState;

/**
 * How much copying one decision may still do, so that no batch delays everyone else, however many
 * subscriptions its topic has. The unit is a step of filter evaluation. A copy costs several steps,
 * to make and to apply, and the first copy for a subscription costs more: with hundreds of
 * subscriptions its data is no longer in the processor's caches.
 */
public final class FanOutBudget {

  /** A few milliseconds: 16,384 copies, or all the steps that rules may take for one message. */
  static final long STEPS = 1 << 20;

  private static final int STEPS_PER_COPY = 64;
  private static final int STEPS_PER_SUBSCRIPTION = 16 * STEPS_PER_COPY;

  /** A copy with properties of its own: to make and encode them costs so much more than a row. */
  private static final int STEPS_PER_CHANGE = 15 * STEPS_PER_COPY;

  /**
   * The copies of one decision take at most this part of the free memory, or they would fill it.
   */
  private static final int FREE_PART = 4;

  /**
   * The most that a copy takes, without the characters of its session id: it may begin a session.
   */
  private static final int COPY_BYTES = StoredMemory.ROW_BYTES + StoredMemory.SESSION_BYTES;

  /**
   * The properties that copies of one decision have of their own take this part of the free memory
   * for bodies, or a topic with little would take what is left for many before anybody looks.
   */
  private static final int FREE_BODIES_PART = 64;

  private final int mostAtOnce;
  private long left;
  private long bytesLeft;

  /** The budget of a decision that begins now. */
  public FanOutBudget(MachineState state) {
    mostAtOnce = state.mostAtOnce;
    long copies = state.stored.free() / FREE_PART / COPY_BYTES;
    left = Math.max(STEPS_PER_COPY, Math.min(STEPS / STEPS_PER_COPY, copies) * STEPS_PER_COPY);
    bytesLeft = Math.max(1, state.stored.freeBodies() / FREE_BODIES_PART);
  }

  /** Charges the evaluation of rules for one message. */
  public void evaluated(long steps) {
    left -= steps + 1;
  }

  /** Charges the first copy of this decision for a subscription. */
  public void reached() {
    left -= STEPS_PER_SUBSCRIPTION;
  }

  /** Charges copies. */
  public void copied(int copies) {
    left -= (long) copies * STEPS_PER_COPY;
  }

  /**
   * Charges changed properties of a copy: after a MiB of them, or a thousand copies, no other
   * message is copied.
   */
  public void wrote(int bytes) {
    left -= STEPS_PER_CHANGE + bytes;
    bytesLeft -= bytes;
  }

  /**
   * The same at an eighth, for a topic that can leave nothing to a later decision and so refuses
   * what is too much.
   */
  public void wroteAtOnce(int bytes) {
    left -= (STEPS_PER_CHANGE + bytes) / 8;
  }

  /** The most subscriptions that one message is copied to at once, see {@link TopicState}. */
  public int mostAtOnce() {
    return mostAtOnce;
  }

  /** Whether this decision must copy no further message. */
  public boolean isSpent() {
    return left <= 0 || bytesLeft <= 0;
  }
}

package io.peeklock.amqp.engine;

/** A link on which the client sends and we grant credit. */
public final class ReceivingLink extends AmqpLink {
  ReceivingLink() {}

  /**
   * Sets the credit: from now on the client may send {@code credit} more deliveries. Writes one
   * FLOW. Not a sum: 100 twice is 100. Does nothing unless {@link #isAttached}.
   *
   * @param credit 0 or more
   */
  public void grantCredit(int credit) {
    throw new UnsupportedOperationException();
  }

  /**
   * Grants {@code target} now and again whenever half of it is used. 0 turns this off and leaves
   * the credit as it is.
   */
  public void autoCredit(int target) {
    throw new UnsupportedOperationException();
  }

  /**
   * How many deliveries the client may still send. 0 also when it sent more than it was allowed to:
   * Python does, and is never punished (amqp.md 3.5).
   */
  public int credit() {
    throw new UnsupportedOperationException();
  }
}

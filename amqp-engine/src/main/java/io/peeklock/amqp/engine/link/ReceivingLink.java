package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.framing.ProtocolViolation;

/** A link on which the client sends and we grant credit. */
public final class ReceivingLink extends AmqpLink {
  private int deliveryCount;
  private int credit;
  private int autoTarget;
  private boolean deliveryOpen;
  private boolean deliveryAborted;
  private int deliveryId;
  private boolean deliverySettled;
  private int messageFormat;

  ReceivingLink(LinkSession host, LinkListener listener, AttachRequest request, int localHandle) {
    super(host, listener, request, localHandle);
    deliveryCount = request.initialDeliveryCount;
  }

  /**
   * Sets the credit: from now on the client may send {@code credit} more deliveries. Writes one
   * FLOW. Not a sum: 100 twice is 100. Does nothing unless {@link #isAttached}.
   *
   * @param credit 0 or more
   */
  public void grantCredit(int credit) {
    if (credit < 0) {
      throw new IllegalArgumentException("credit must be 0 or more");
    }
    if (isAttached()) {
      this.credit = credit;
      writeFlow();
    }
  }

  /**
   * Grants {@code target} now and again whenever half of it is used. 0 turns this off and leaves
   * the credit as it is.
   */
  public void autoCredit(int target) {
    autoTarget = target;
    if (target > 0) {
      grantCredit(target);
    }
  }

  /**
   * How many deliveries the client may still send. 0 also when it sent more than it was allowed to:
   * Python does, and is never punished (amqp.md 3.5).
   */
  public int credit() {
    return credit;
  }

  @Override
  void onAccepted() {
    // The edge grants credit.
  }

  /** A FLOW from a sender: its idea of credit does not count (Python sends some, T-27). */
  @Override
  void onFlow(Performative flow) {
    if (isAttached() && flow.flag(9)) {
      writeFlow();
    }
  }

  @Override
  void onLeft() {
    deliveryOpen = false;
    autoTarget = 0;
  }

  /** Takes the fields of a transfer frame, and returns whether it starts a delivery. */
  boolean onTransfer(Performative fields) {
    boolean first = !deliveryOpen;
    if (first) {
      startDelivery(fields);
    } else if (fields.has(1) && fields.uint(1, 0) != deliveryId) {
      throw ProtocolViolation.of(
          AmqpError.NOT_ALLOWED, "a delivery starts before the one before it is whole");
    }
    deliverySettled |= fields.flag(4);
    deliveryAborted = fields.flag(9);
    deliveryOpen = fields.flag(5) && !deliveryAborted;
    return first;
  }

  private void startDelivery(Performative fields) {
    deliveryId = fields.requiredUint(1, "transfer.delivery-id");
    messageFormat = fields.uint(3, 0);
    deliverySettled = false;
    deliveryCount++;
    credit = Math.max(0, credit - 1);
  }

  /** Grants again once half of the credit is used. */
  void topUp() {
    if (autoTarget > 0 && credit <= autoTarget / 2) {
      grantCredit(autoTarget);
    }
  }

  /** Whether the last transfer frame gave up its delivery. */
  boolean isDeliveryAborted() {
    return deliveryAborted;
  }

  /** Whether a delivery waits for more frames. */
  boolean isDeliveryOpen() {
    return deliveryOpen;
  }

  int deliveryId() {
    return deliveryId;
  }

  boolean isDeliverySettled() {
    return deliverySettled;
  }

  int messageFormat() {
    return messageFormat;
  }

  private void writeFlow() {
    host().writeFlow(localHandle(), deliveryCount, credit, false);
  }
}

package io.peeklock.amqp.engine.session;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.messaging.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP session as the edge sees it, not a Service Bus session. Only the engine creates them;
 * they are compared by identity.
 */
public interface AmqpSession {
  /** The channel number, the same in both directions. */
  int channel();

  /** Whether frames may still be exchanged. */
  boolean isOpen();

  /** The edge's own object for this session; null at first. */
  @Nullable Object attachment();

  /** Keeps something with this session; null forgets it. */
  void attach(@Nullable Object attachment);

  /**
   * Settles deliveries that came from the client. Neighbouring calls with equal outcomes leave as
   * one range, at the engine's next {@code flush} at the latest. Does nothing on an ended session.
   *
   * @param firstDeliveryId the first delivery id, as given by {@code IncomingTransfer.deliveryId}
   * @param lastDeliveryId the last one, inclusive; may be the same
   */
  void settleIncoming(int firstDeliveryId, int lastDeliveryId, Outcome outcome);

  /**
   * How many transfer frames the client will take now. 0 while a delivery is only partly out. When
   * something could not be sent because of this, {@code onSendable} follows.
   */
  int sendableFrames();

  /** How many deliveries that went out are not settled yet, over all links of the session. */
  int unsettledCount();

  /** Ends the session, and its links with it. Does nothing when it is already over. */
  void end(@Nullable AmqpError error);
}

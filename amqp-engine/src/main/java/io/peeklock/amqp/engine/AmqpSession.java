package io.peeklock.amqp.engine;

import org.jspecify.annotations.Nullable;

/**
 * An AMQP session: windows, delivery ids, and the unsettled deliveries of its links. Not to be
 * mixed up with Service Bus sessions.
 */
public final class AmqpSession {
  /** The engine that this session belongs to. */
  public AmqpEngine engine() {
    throw new UnsupportedOperationException();
  }

  /** The channel number, the same in both directions. */
  public int channel() {
    throw new UnsupportedOperationException();
  }

  /** Whether frames may still be exchanged. */
  public boolean isOpen() {
    throw new UnsupportedOperationException();
  }

  /** What the edge keeps with this session; null at first. */
  public @Nullable Object attachment() {
    throw new UnsupportedOperationException();
  }

  public void attach(@Nullable Object attachment) {
    throw new UnsupportedOperationException();
  }

  /**
   * Settles deliveries that came from the client. Neighbouring calls with equal outcomes leave as
   * one range, at the next {@link AmqpEngine#flush} at the latest. Does nothing on an ended
   * session.
   *
   * @param firstDeliveryId the first delivery id, as given by {@link IncomingTransfer#deliveryId}
   * @param lastDeliveryId the last one, inclusive; may be the same
   */
  public void settleIncoming(int firstDeliveryId, int lastDeliveryId, Outcome outcome) {
    throw new UnsupportedOperationException();
  }

  /**
   * How many transfer frames the client will take now. 0 while a delivery is only partly out. When
   * something could not be sent because of this, {@link EngineListener#onSendable} follows.
   */
  public int sendableFrames() {
    throw new UnsupportedOperationException();
  }

  /** How many deliveries that went out are not settled yet, over all links of the session. */
  public int unsettledCount() {
    throw new UnsupportedOperationException();
  }

  /** Ends the session, and its links with it. Does nothing when it is already over. */
  public void end(@Nullable AmqpError error) {
    throw new UnsupportedOperationException();
  }
}

package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;

/**
 * A link on which the client receives and we send.
 *
 * <p>The fast way, without garbage:
 *
 * <pre>{@code
 * if (link.canSend()) {
 *   ByteBuf out = link.beginDelivery(context, tagHigh, tagLow, false);
 *   writeMessage(out);
 *   int deliveryId = link.endDelivery();
 * }
 * }</pre>
 *
 * Between begin and end nothing else may be called on this engine. Payloads too large to be written
 * at once go through {@link #beginLargeDelivery}. Deliveries of one session never interleave.
 */
public final class SendingLink extends AmqpLink {
  SendingLink() {}

  /** How many deliveries the client allows now; 0 or more. */
  public int credit() {
    throw new UnsupportedOperationException();
  }

  /** How many deliveries may have been made over the life of the link. See {@code onCredit}. */
  public long deliveryLimit() {
    throw new UnsupportedOperationException();
  }

  /** How many deliveries were made over the life of the link, or given back by {@link #drained}. */
  public long deliveredCount() {
    throw new UnsupportedOperationException();
  }

  /** Whether the client waits for {@link #drained}. */
  public boolean isDraining() {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether a delivery may start now: attached, credit, session window, and no other delivery of
   * the session half way. When only the window is missing, {@code onSendable} follows once it
   * opens.
   */
  public boolean canSend() {
    throw new UnsupportedOperationException();
  }

  /**
   * Starts a delivery and returns the output buffer, to whose end the encoded message must be
   * written, and nothing else done to it.
   *
   * @param context given back with dispositions
   * @param tagHigh the first eight bytes of the delivery tag, big-endian
   * @param tagLow the last eight bytes of the delivery tag
   * @param settled true: sent settled, never heard of again
   * @throws IllegalStateException unless {@link #canSend}
   */
  public ByteBuf beginDelivery(long context, long tagHigh, long tagLow, boolean settled) {
    throw new UnsupportedOperationException();
  }

  /**
   * Ends the delivery. A payload above the client's frame size is cut into more frames; what the
   * session window does not take now is kept and sent when it opens.
   *
   * @return the delivery id
   */
  public int endDelivery() {
    throw new UnsupportedOperationException();
  }

  /** Takes back {@link #beginDelivery}; no trace is left. */
  public void cancelDelivery() {
    throw new UnsupportedOperationException();
  }

  /**
   * Starts a delivery whose payload comes in pieces. Nothing is written yet. Until its last piece
   * is taken, or it is aborted, nothing else can be sent on this session.
   *
   * @return the delivery id
   * @throws IllegalStateException unless {@link #canSend}
   */
  public int beginLargeDelivery(long context, long tagHigh, long tagLow, boolean settled) {
    throw new UnsupportedOperationException();
  }

  /**
   * Sends as much of the piece as the session window takes; the piece's reader index moves. A piece
   * that is not empty afterwards must be offered again once {@code onSendable} comes.
   *
   * @param last whether this piece ends the payload
   * @return true when the piece was taken whole (and, if it is the last, the delivery is out). Also
   *     true, with the piece skipped, when the link or the session is over meanwhile
   */
  public boolean continueLargeDelivery(ByteBuf piece, boolean last) {
    throw new UnsupportedOperationException();
  }

  /** Gives up the large delivery: the client forgets it, its credit is used up. */
  public void abortLargeDelivery() {
    throw new UnsupportedOperationException();
  }

  /**
   * Answers for a delivery with settled=true. Neighbouring answers with equal outcomes leave as one
   * range, at the next {@link AmqpEngine#flush} at the latest.
   *
   * @return false when the delivery is unknown, settled, or the link over; then nothing is written
   */
  public boolean settle(int deliveryId, Outcome outcome) {
    throw new UnsupportedOperationException();
  }

  /** How many deliveries of this link are not settled yet. */
  public int unsettledCount() {
    throw new UnsupportedOperationException();
  }

  /**
   * Gives the remaining credit back: the delivery count advances over it, and a FLOW with
   * link-credit 0 and drain=true goes out, also when there was no credit (T-28).
   */
  public void drained() {
    throw new UnsupportedOperationException();
  }
}

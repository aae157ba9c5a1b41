package io.peeklock.amqp.engine.link;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.PeerState;

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
  private static final int FLOW_PROPERTIES = 10;

  private final OutgoingDeliveries deliveries;
  private long deliveredCount;
  private long deliveryLimit;
  private boolean draining;
  private int unsettledCount;

  SendingLink(
      LinkSession host,
      LinkListener listener,
      AttachRequest request,
      int localHandle,
      OutgoingDeliveries deliveries) {
    super(host, listener, request, localHandle);
    this.deliveries = deliveries;
  }

  /** How many deliveries the client allows now; 0 or more. */
  public int credit() {
    return Math.clamp(deliveryLimit - deliveredCount, 0, Integer.MAX_VALUE);
  }

  /** How many deliveries may have been made over the life of the link. See {@code onCredit}. */
  public long deliveryLimit() {
    return deliveryLimit;
  }

  /** How many deliveries were made over the life of the link, or given back by {@link #drained}. */
  public long deliveredCount() {
    return deliveredCount;
  }

  /** Whether the client waits for {@link #drained}. */
  public boolean isDraining() {
    return draining;
  }

  /**
   * Whether a delivery may start now: attached, credit, session window, and no other delivery of
   * the session half way. When only the window is missing, {@code onSendable} follows once it
   * opens.
   */
  public boolean canSend() {
    return isAttached() && deliveryLimit > deliveredCount && deliveries.mayStart();
  }

  /** How many more frames the client's session window allows; 0 while it is closed. */
  public long window() {
    return deliveries.window();
  }

  /**
   * Whether frames of a delivery that ended here wait for the session's window: the engine holds
   * their bytes until the window lets them go, or the link or session is over.
   */
  public boolean isHalfWay() {
    return deliveries.isStalledOn(this);
  }

  /** Changes with every frame of a delivery that leaves on the session of this link. */
  public int sessionFrames() {
    return deliveries.nextOutgoingId();
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
    return deliveries.begin(this, context, tagHigh, tagLow, settled);
  }

  /**
   * Ends the delivery. A payload above the client's frame size is cut into more frames; what the
   * session window does not take now is kept and sent when it opens.
   *
   * @return the delivery id
   */
  public int endDelivery() {
    return deliveries.end(this);
  }

  /** Takes back {@link #beginDelivery}; no trace is left. */
  public void cancelDelivery() {
    deliveries.cancel(this);
  }

  /**
   * Starts a delivery whose payload comes in pieces. Nothing is written yet. Until its last piece
   * is taken, or it is aborted, nothing else can be sent on this session.
   *
   * @return the delivery id
   * @throws IllegalStateException unless {@link #canSend}
   */
  public int beginLargeDelivery(long context, long tagHigh, long tagLow, boolean settled) {
    return deliveries.beginLarge(this, context, tagHigh, tagLow, settled);
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
    return deliveries.continueLarge(this, piece, last);
  }

  /** Gives up the large delivery: the client forgets it, its credit is used up. */
  public void abortLargeDelivery() {
    deliveries.abortLarge(this);
  }

  /**
   * Answers for a delivery with settled=true. Neighbouring answers with equal outcomes leave as one
   * range, at the engine's next {@code flush} at the latest.
   *
   * @return false when the delivery is unknown, settled, or the link over; then nothing is written
   */
  public boolean settle(int deliveryId, Outcome outcome) {
    return isAttached() && deliveries.settle(this, deliveryId, outcome);
  }

  /**
   * Answers for a delivery with settled=false: it stays unsettled, and the next disposition of the
   * client is told again. So a settlement in a transaction is answered before its discharge.
   *
   * @return as for {@link #settle}
   */
  public boolean answerUnsettled(int deliveryId, Outcome outcome) {
    return isAttached() && deliveries.answerUnsettled(this, deliveryId, outcome);
  }

  /** Whether a delivery of this link is not settled yet. */
  public boolean isUnsettled(int deliveryId) {
    return deliveries.isUnsettled(this, deliveryId);
  }

  /** How many deliveries of this link are not settled yet. */
  public int unsettledCount() {
    return unsettledCount;
  }

  /**
   * Gives the remaining credit back: the delivery count advances over it, and a FLOW with
   * link-credit 0 and drain=true goes out, also when there was no credit (T-28).
   */
  public void drained() {
    if (!isAttached()) {
      return;
    }
    deliveredCount = Math.max(deliveredCount, deliveryLimit);
    deliveryLimit = deliveredCount;
    draining = false;
    writeFlow(true);
  }

  @Override
  void onAccepted() {
    if (deliveryLimit != 0 || draining) {
      tellCredit();
    }
  }

  /**
   * Credit is absolute: the client's count plus its credit is the limit, however often it is said
   * (T-26, T-27). The difference is taken in 32 bits, so counts may wrap; the credit is unsigned.
   */
  @Override
  void onFlow(Performative flow) {
    if (flow.has(FLOW_PROPERTIES) && flow.textMap(FLOW_PROPERTIES).containsKey("txn-id")) {
      giveUp(AmqpError.of(AmqpError.NOT_ALLOWED, "messages cannot be acquired in a transaction"));
      return;
    }
    long limit = deliveryLimit;
    if (flow.has(6)) {
      int behind = flow.uint(5, 0) - (int) deliveredCount;
      limit = deliveredCount + behind + flow.unsigned(6, 0);
    }
    boolean changed = limit != deliveryLimit;
    deliveryLimit = limit;
    draining = flow.flag(8);
    boolean echo = flow.flag(9);
    if (!isAttached()) {
      return; // told when the edge accepts
    }
    boolean wasDraining = draining;
    if (changed || draining) {
      tellCredit();
    }
    boolean answered = wasDraining && !draining; // by drained(), with the same FLOW
    if (echo && !answered && isAttached()) {
      writeFlow(draining);
    }
  }

  @Override
  void onLeft() {
    deliveries.leave(this, unsettledCount);
    unsettledCount = 0;
  }

  void countDelivery(int by) {
    deliveredCount += by;
  }

  void countUnsettled(int by) {
    unsettledCount += by;
  }

  /** Reports a client's disposition for a delivery to the edge. */
  void onDisposition(int deliveryId, long context, PeerState state, boolean settled) {
    listener().onDisposition(this, deliveryId, context, state, settled);
  }

  private void tellCredit() {
    listener().onCredit(this, deliveryLimit, draining);
  }

  private void writeFlow(boolean drain) {
    host().writeFlow(localHandle(), (int) deliveredCount, credit(), drain);
  }
}

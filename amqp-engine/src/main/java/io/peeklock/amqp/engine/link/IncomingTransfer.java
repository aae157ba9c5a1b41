package io.peeklock.amqp.engine.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.messaging.PeerState;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One transfer frame from a client. One object per engine: valid only during the callback.
 *
 * <p>Deliveries of one link never interleave, so a receiver gathers payloads per link from {@link
 * #isFirst} until {@link #hasMore} is false. When {@link #isAborted}, forget what was gathered and
 * settle nothing.
 */
public final class IncomingTransfer {
  private final PeerState state;
  private @Nullable ReceivingLink link;
  private boolean first;
  private boolean aborted;
  private boolean more;
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int tagOffset;
  private int tagLength;
  private int payloadOffset;
  private int payloadLength;

  IncomingTransfer(PeerState state) {
    this.state = state;
  }

  /** Reads the fields that do not depend on the link. */
  void read(Performative fields, int payloadFrom, int payloadTo) {
    state.read(fields, 7);
    buffer = fields.buffer();
    tagLength = fields.binaryLength(2);
    tagOffset = tagLength == 0 ? 0 : fields.offset(2) + fields.length(2) - tagLength;
    payloadOffset = payloadFrom;
    payloadLength = payloadTo - payloadFrom;
  }

  /** Sets the frame's meaning on its link. */
  void about(ReceivingLink itsLink, boolean isFirst) {
    link = itsLink;
    first = isFirst;
    aborted = itsLink.isDeliveryAborted();
    more = itsLink.isDeliveryOpen();
  }

  public ReceivingLink link() {
    return Objects.requireNonNull(link);
  }

  /** The client's number for the delivery, also on continuation frames; an unsigned serial. */
  public int deliveryId() {
    return link().deliveryId();
  }

  /** Whether this frame starts a delivery. */
  public boolean isFirst() {
    return first;
  }

  /** Whether more frames of this delivery follow. */
  public boolean hasMore() {
    return more;
  }

  /** Whether the client gave up this delivery. */
  public boolean isAborted() {
    return aborted;
  }

  /**
   * Whether the delivery is settled: then it must not be answered. True as soon as a frame says so.
   */
  public boolean isSettled() {
    return link().isDeliverySettled();
  }

  /** The message format of the first frame, 32 bits; 0 when null. */
  public int messageFormat() {
    return link().messageFormat();
  }

  /**
   * The delivery state of this frame, {@code NONE} when null. In transactions clients send it on
   * every frame or only on the first: take the first that is transactional (amqp.md 8).
   */
  public PeerState state() {
    return state;
  }

  /** How many bytes the delivery tag has; 0 on continuation frames that leave it out. */
  public int tagLength() {
    return tagLength;
  }

  /** A copy of the delivery tag of this frame. Opaque. */
  public byte[] tag() {
    var tag = new byte[tagLength];
    buffer.getBytes(tagOffset, tag);
    return tag;
  }

  /** The buffer that holds the payload; its reader index means nothing. */
  public ByteBuf buffer() {
    return buffer;
  }

  /** The absolute index of the payload in {@link #buffer}. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** How many bytes of payload this frame carries, may be 0. */
  public int payloadLength() {
    return payloadLength;
  }

  /**
   * The payload as a slice that stays valid after the call until it is released. It pins the buffer
   * it was read into; copy small payloads that are kept for long.
   */
  public ByteBuf retainedPayload() {
    return buffer.retainedSlice(payloadOffset, payloadLength);
  }
}

package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;

/**
 * One transfer frame from a client. One object per engine: valid only during the callback.
 *
 * <p>Deliveries of one link never interleave, so a receiver gathers payloads per link from {@link
 * #isFirst} until {@link #hasMore} is false. When {@link #isAborted}, forget what was gathered and
 * settle nothing.
 */
public final class IncomingTransfer {
  IncomingTransfer() {}

  public ReceivingLink link() {
    throw new UnsupportedOperationException();
  }

  /** The client's number for the delivery, also on continuation frames; an unsigned serial. */
  public int deliveryId() {
    throw new UnsupportedOperationException();
  }

  /** Whether this frame starts a delivery. */
  public boolean isFirst() {
    throw new UnsupportedOperationException();
  }

  /** Whether more frames of this delivery follow. */
  public boolean hasMore() {
    throw new UnsupportedOperationException();
  }

  /** Whether the client gave up this delivery. */
  public boolean isAborted() {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether the delivery is settled: then it must not be answered. True as soon as a frame says so.
   */
  public boolean isSettled() {
    throw new UnsupportedOperationException();
  }

  /** The message format of the first frame, 32 bits; 0 when null. */
  public int messageFormat() {
    throw new UnsupportedOperationException();
  }

  /**
   * The delivery state of this frame, {@code NONE} when null. In transactions clients send it on
   * every frame or only on the first: take the first that is transactional (amqp.md 8).
   */
  public PeerState state() {
    throw new UnsupportedOperationException();
  }

  /** How many bytes the delivery tag has; 0 on continuation frames that leave it out. */
  public int tagLength() {
    throw new UnsupportedOperationException();
  }

  /** A copy of the delivery tag of this frame. Opaque. */
  public byte[] tag() {
    throw new UnsupportedOperationException();
  }

  /** The buffer that holds the payload; its reader index means nothing. */
  public ByteBuf buffer() {
    throw new UnsupportedOperationException();
  }

  /** The absolute index of the payload in {@link #buffer}. */
  public int payloadOffset() {
    throw new UnsupportedOperationException();
  }

  /** How many bytes of payload this frame carries, may be 0. */
  public int payloadLength() {
    throw new UnsupportedOperationException();
  }

  /**
   * The payload as a slice that stays valid after the call until it is released. It pins the buffer
   * it was read into; copy small payloads that are kept for long.
   */
  public ByteBuf retainedPayload() {
    throw new UnsupportedOperationException();
  }
}

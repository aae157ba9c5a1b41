package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.IncomingTransfer;

/**
 * A transfer frame, as far as a sender's link looks at it.
 *
 * @param transactional whether it claims to be part of a transaction
 */
record HeldTransfer(
    int deliveryId,
    int format,
    boolean first,
    boolean more,
    boolean aborted,
    boolean settled,
    boolean transactional,
    ByteBuf buffer,
    int offset,
    int length) {

  /** The frame itself; valid during its callback. */
  static HeldTransfer view(IncomingTransfer transfer) {
    return new HeldTransfer(
        transfer.deliveryId(),
        transfer.messageFormat(),
        transfer.isFirst(),
        transfer.hasMore(),
        transfer.isAborted(),
        transfer.isSettled(),
        transfer.state().isTransactional(),
        transfer.buffer(),
        transfer.payloadOffset(),
        transfer.payloadLength());
  }

  /** One that stays valid, with a buffer of its own. */
  HeldTransfer copy() {
    return new HeldTransfer(
        deliveryId,
        format,
        first,
        more,
        aborted,
        settled,
        transactional,
        buffer.copy(offset, length),
        0,
        length);
  }
}

package io.peeklock.amqp.send;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.engine.messaging.TransactionId;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a transfer frame that a producer link reads.
 *
 * @param transaction the id of its transaction, null for none
 */
record HeldTransfer(
    int deliveryId,
    int format,
    boolean first,
    boolean more,
    boolean aborted,
    boolean settled,
    @Nullable TransactionId transaction,
    ByteBuf buffer,
    int offset,
    int length) {

  /** Whether the frame is a whole delivery: the common case, which needs no view. */
  static boolean isWhole(IncomingTransfer transfer) {
    return transfer.isFirst()
        && !transfer.hasMore()
        && !transfer.isAborted()
        && !transfer.state().isTransactional();
  }

  /** A view of the frame, valid during its callback. */
  static HeldTransfer view(IncomingTransfer transfer) {
    return new HeldTransfer(
        transfer.deliveryId(),
        transfer.messageFormat(),
        transfer.isFirst(),
        transfer.hasMore(),
        transfer.isAborted(),
        transfer.isSettled(),
        transfer.state().transaction(),
        transfer.buffer(),
        transfer.payloadOffset(),
        transfer.payloadLength());
  }

  /** A copy that stays valid, with its own buffer. */
  HeldTransfer copy() {
    var own = buffer.copy(offset, length);
    var done = false;
    try {
      var copy =
          new HeldTransfer(
              deliveryId, format, first, more, aborted, settled, transaction, own, 0, length);
      done = true;
      return copy;
    } finally {
      if (!done) {
        own.release();
      }
    }
  }
}

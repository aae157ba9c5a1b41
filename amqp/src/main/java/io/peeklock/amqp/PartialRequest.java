package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.IncomingTransfer;
import org.jspecify.annotations.Nullable;

/** A request in several frames, as far as it has come; it counts as half received. */
final class PartialRequest {
  private final AmqpConnection connection;
  private @Nullable ByteBuf bytes;

  PartialRequest(AmqpConnection connection) {
    this.connection = connection;
  }

  /** What has come, null for nothing. It stays ours, until {@link #drop}. */
  @Nullable ByteBuf bytes() {
    return bytes;
  }

  /** How long it is with one frame more. */
  int lengthWith(IncomingTransfer transfer) {
    return (bytes == null ? 0 : bytes.readableBytes()) + transfer.payloadLength();
  }

  /** Takes the payload of one more frame; false when too much is half received already. */
  boolean add(IncomingTransfer transfer) {
    var length = transfer.payloadLength();
    if (!connection.holdPartial(length)) {
      return false;
    }
    if (bytes == null) {
      bytes = connection.channel().alloc().buffer(length * 2);
    }
    bytes.writeBytes(transfer.buffer(), transfer.payloadOffset(), length);
    return true;
  }

  /** Lets go of it; again does nothing. */
  void drop() {
    var last = bytes;
    if (last != null) {
      bytes = null;
      var length = last.readableBytes();
      last.release();
      connection.holdPartial(-length);
    }
  }
}

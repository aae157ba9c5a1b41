package io.peeklock.amqp.link;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.Holdings;
import io.peeklock.runtime.intake.Piece;
import org.jspecify.annotations.Nullable;

/**
 * A delivery in several frames, as far as it has arrived. It counts as half received; if it must
 * give way its link ends.
 */
public final class PartialDelivery extends SlowInput {
  private final NodeLink link;
  private final Piece piece;
  private @Nullable ByteBuf bytes;

  /** A delivery to this link without bytes. */
  public PartialDelivery(NodeLink link) {
    super(link.connection);
    this.link = link;
    this.piece = new Piece(connection.edge().budgets().halfReceived(), this);
  }

  /** The bytes so far, null for none. They still belong to this object, until {@link #drop}. */
  public @Nullable ByteBuf bytes() {
    return bytes;
  }

  /** Its length with one more frame. */
  public int lengthWith(IncomingTransfer transfer) {
    return (bytes == null ? 0 : bytes.readableBytes()) + transfer.payloadLength();
  }

  /** Adds the payload of one more frame; false when too much is half received already. */
  public boolean add(IncomingTransfer transfer) {
    return add(transfer.buffer(), transfer.payloadOffset(), transfer.payloadLength());
  }

  /** Adds bytes; false when too much is half received already. */
  public boolean add(ByteBuf buffer, int offset, int length) {
    var hasRoom = connection.holdPartial(length);
    if (hasRoom) {
      if (bytes == null) {
        bytes = connection.channel().alloc().buffer(length * 2);
      }
      bytes.writeBytes(buffer, offset, length);
    }
    piece.came(length, bytes == null ? 0 : Holdings.takenFor(bytes.readableBytes()));
    return hasRoom;
  }

  /** Takes the bytes out: the caller must release them, and they no longer count. */
  public @Nullable ByteBuf take() {
    piece.end();
    var last = bytes;
    if (last != null) {
      connection.holdPartial(-last.readableBytes()); // still ours: a fault leaves it to drop()
      bytes = null;
    }
    return last;
  }

  /** Drops the bytes; a second call does nothing. */
  public void drop() {
    piece.end();
    var last = bytes;
    if (last != null) {
      bytes = null;
      var length = last.readableBytes();
      last.release();
      connection.holdPartial(-length);
    }
  }

  /** Drops the bytes, as no more input comes. */
  public void close() {
    piece.close();
    drop();
  }

  @Override
  public long unreadMillis(long nowMillis) {
    return connection.holdings().isUnauthenticated()
        ? Long.MAX_VALUE
        : super.unreadMillis(nowMillis);
  }

  @Override
  public void refuse() {
    connection.edge().budgets().partialBytes().refuse();
    link.detach(Conditions.RESOURCE_LIMIT_EXCEEDED, SENTENCE);
  }
}

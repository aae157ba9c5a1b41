package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One large message on its way to a client: read piece by piece, each as the socket and the window
 * have room for it. The first piece holds all that has to be rewritten.
 */
final class LargeDelivery implements LargeBody.PieceListener {
  private static final int PIECE_BYTES = 256 << 10;

  private final DeliveryLink link;
  private final PendingBurst burst;
  private final LargeBody body;
  private long position;
  private boolean reading;
  private boolean over;
  private @Nullable ByteBuf piece;

  LargeDelivery(
      DeliveryLink link,
      PendingBurst burst,
      LargeBody body,
      long tagHigh,
      long tagLow,
      boolean settled) {
    this.link = link;
    this.burst = burst;
    this.body = body;
    link.link().beginLargeDelivery(burst.lockId(), tagHigh, tagLow, settled);
  }

  /** Sends and reads on as far as there is room. */
  void goOn() {
    if (over || reading || !link.connection.hasOutputRoom()) {
      return;
    }
    if (piece != null) {
      offer(piece);
    } else {
      reading = true;
      var bytes = (int) Math.min(PIECE_BYTES, body.length() - position);
      body.read(position, bytes, link.port(), this);
    }
  }

  @Override
  public void piece(ByteBuffer bytes) {
    reading = false;
    if (over) {
      return;
    }
    var read = Unpooled.wrappedBuffer(bytes);
    var next = link.connection.channel().alloc().buffer(read.readableBytes() + 1_024);
    piece = next; // the link's end releases it, whatever happens
    if (position == 0) {
      burst.write(
          next,
          link.connection.desk().writer,
          read,
          read.readerIndex(),
          read.readableBytes(),
          false);
    } else {
      next.writeBytes(read, read.readerIndex(), read.readableBytes());
    }
    position += read.readableBytes();
    offer(next);
  }

  @Override
  public void failed(Throwable cause) {
    reading = false;
    if (!over) {
      link.link().abortLargeDelivery();
      over = true;
      release();
      link.largeFailed(burst, String.valueOf(cause.getMessage()));
    }
  }

  private void offer(ByteBuf next) {
    var last = position >= body.length();
    if (!link.link().continueLargeDelivery(next, last)) {
      link.connection.pumpLater(link);
      return;
    }
    next.release();
    piece = null;
    if (last) {
      over = true;
      release();
      link.largeEnded(burst);
    } else {
      link.connection.pumpLater(link);
    }
  }

  /** The link is gone. */
  void abandon() {
    over = true;
    release();
  }

  private void release() {
    if (piece != null) {
      piece.release();
      piece = null;
    }
    body.release();
  }
}

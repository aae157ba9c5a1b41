package io.peeklock.amqp.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.ReadFault;
import io.peeklock.runtime.thread.EventLoopThread;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A large message that is being written to a client. It is never whole in memory: each piece is
 * read when socket and window have room for it. The first piece has everything that must be
 * rewritten.
 */
@EventLoopThread
public abstract class LargeOutgoing implements LargeBody.PieceListener {
  private static final int PIECE_BYTES = 256 << 10;

  /** The room for what is written around a piece, or replaces shorter parts of the first. */
  private static final int MARGIN_BYTES = 2_048;

  private final NodeLink link;
  private final SendingLink wire;
  private final ShardPort reader;
  private final LargeBody body;
  private @Nullable ByteBuf piece;
  private long position;
  private boolean reading;
  private boolean over;

  /**
   * A message that {@link #resume} begins to write.
   *
   * @param link the link to write to, which is asked to pump as long as there is more
   * @param wire the engine's side of it
   * @param reader receives the pieces that are read
   */
  public LargeOutgoing(NodeLink link, SendingLink wire, ShardPort reader, LargeBody body) {
    this.link = link;
    this.wire = wire;
    this.reader = reader;
    this.body = body;
  }

  /**
   * Writes the first piece.
   *
   * @param missing the bytes of the body that follow it
   */
  public abstract void writeFirst(ByteBuf out, ByteBuf read, long missing);

  /** Writes what follows the body. */
  public void writeLast(ByteBuf out) {}

  /** Called when its last byte is written, and everything is released. */
  public abstract void written();

  /** Called when it could not be read further, and everything is released. */
  public abstract void broken(String why);

  /** Writes and reads as far as there is room. */
  public final void resume() {
    if (over || reading || !link.connection.hasOutputRoom()) {
      return;
    }
    if (piece != null) {
      offer(piece);
    } else {
      reading = true;
      var bytes = (int) Math.min(PIECE_BYTES, body.length() - position);
      body.read(position, bytes, reader, this);
    }
  }

  @Override
  public final void piece(ByteBuffer bytes) {
    reading = false;
    if (over) {
      return;
    }
    var read = Unpooled.wrappedBuffer(bytes);
    var next = link.connection.channel().alloc().buffer(read.readableBytes() + MARGIN_BYTES);
    piece = next; // {@link #end} releases it in any case
    var isFirst = position == 0;
    position += read.readableBytes();
    if (isFirst) {
      writeFirst(next, read, body.length() - position);
    } else {
      next.writeBytes(read);
    }
    if (isLast()) {
      writeLast(next);
    }
    offer(next);
  }

  private boolean isLast() {
    return position >= body.length();
  }

  private void offer(ByteBuf next) {
    if (wire.continueLargeDelivery(next, isLast())) {
      next.release();
      piece = null;
      if (isLast()) {
        end();
        written();
        return;
      }
    }
    link.connection.pumpLater(link);
  }

  @Override
  public final void failed(Throwable cause) {
    reading = false;
    if (over) {
      return;
    }
    if (cause instanceof ReadFault) {
      link.connection.fail(cause); // which ends this too
    } else if (end()) {
      broken(String.valueOf(cause.getMessage()));
    }
  }

  /** Ends the message and releases everything; false when it had ended already. */
  public boolean end() {
    if (over) {
      return false;
    }
    over = true;
    if (piece != null) {
      piece.release();
      piece = null;
    }
    body.release();
    return true;
  }
}

package io.peeklock.amqp.direct;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.ReadFault;
import io.peeklock.runtime.message.BodyRest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What follows the first piece of a large message; lives on the event loop of its receiver. */
final class LargeRest implements BodyRest, LargeBody.PieceListener {
  private static final int PIECE_BYTES = 256 << 10;

  private final SingleReceive receiver;
  private final LargeBody body;
  private final BodyContent content;
  private long position;
  private @Nullable Listener listener;
  private boolean over;

  LargeRest(SingleReceive receiver, LargeBody body, long position, BodyContent content) {
    this.receiver = receiver;
    this.body = body;
    this.position = position;
    this.content = content;
  }

  /** How many bytes to read from here. */
  static int pieceOf(LargeBody body, long position) {
    return (int) Math.min(PIECE_BYTES, body.length() - position);
  }

  static byte[] bytesOf(ByteBuf buffer) {
    var bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    return bytes;
  }

  @Override
  public void next(Listener next) {
    receiver.at.run(
        () -> {
          listener = next;
          read();
        });
  }

  private void read() {
    if (!over) {
      body.read(position, pieceOf(body, position), receiver, this);
    }
  }

  @Override
  public void close() {
    receiver.at.run(
        () -> {
          if (!over) {
            over = true;
            receiver.giveBack();
          }
        });
  }

  @Override
  public void piece(ByteBuffer bytes) {
    if (over || listener == null) {
      return;
    }
    var to = listener;
    var in = Unpooled.wrappedBuffer(bytes);
    var length = in.readableBytes();
    var out = Unpooled.buffer(Math.max(1, length));
    try {
      content.take(in, in.readerIndex(), length, out);
    } catch (AmqpDecodeException untranslated) {
      over = true;
      receiver.untranslated(String.valueOf(untranslated.getMessage()));
      to.failed(String.valueOf(untranslated.getMessage()));
      return;
    } catch (RuntimeException | Error fault) { // ours alone: others can have the message
      over = true;
      receiver.giveBack();
      to.failed(String.valueOf(fault));
      return;
    }
    position += length;
    var last = position >= body.length();
    if (last) {
      over = true;
      receiver.restEnded();
    }
    to.piece(bytesOf(out), last);
  }

  @Override
  public void failed(Throwable cause) {
    if (!over && listener != null) {
      over = true;
      var reason = String.valueOf(cause.getMessage());
      if (cause instanceof ReadFault) {
        receiver.giveBack();
      } else {
        receiver.damaged(reason);
      }
      listener.failed(reason);
    }
  }
}

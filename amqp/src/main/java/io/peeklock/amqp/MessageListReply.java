package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.kernel.MessageBurst;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;

/**
 * The answer to peek and to receive-by-sequence-number: a list of maps, each with an encoded
 * message and, for locked ones, its token (T-37). Large bodies are read piece by piece into it.
 */
final class MessageListReply implements LargeBody.PieceListener {
  private static final int PIECE_BYTES = 256 << 10;

  private final ManagementLink link;
  private final ManagementLink.Call call;
  private final PendingBurst burst;
  private final MessageBurst messages;
  private final boolean deferred;
  private final ByteBuf list = Unpooled.buffer(1_024);
  private final int listMark;
  private int mapMark;
  private int binaryMark;
  private long position;

  MessageListReply(
      ManagementLink link,
      ManagementLink.Call call,
      MessageBurst messages,
      Bodies bodies,
      boolean deferred) {
    this.link = link;
    this.call = call;
    this.burst = new PendingBurst(messages, bodies, link.connection.desk().tokens);
    this.messages = messages;
    this.deferred = deferred;
    this.listMark = AmqpWriter.beginList(list);
  }

  void begin() {
    while (!burst.isDone()) {
      mapMark = AmqpWriter.beginMap(list);
      AmqpWriter.writeString(list, "message");
      binaryMark = AmqpWriter.beginBinary(list);
      var large = burst.bodies().large(burst.next());
      if (large != null) {
        position = 0;
        readMore(large);
        return;
      }
      var i = burst.next();
      var stored = Unpooled.wrappedBuffer(burst.bodies().buffer(i).duplicate().clear());
      write(stored, burst.bodies().offset(i), burst.bodies().length(i));
      endMessage();
    }
    finish();
  }

  private void write(ByteBuf stored, int offset, int length) {
    burst.write(list, link.connection.desk().writer, stored, offset, length, deferred);
  }

  private void endMessage() {
    AmqpWriter.endBinary(list, binaryMark);
    var tags = burst.tags();
    if (tags != null) {
      AmqpWriter.writeString(list, "lock-token");
      AmqpWriter.writeUuid(list, LockTokens.uuid(tags, burst.next()));
    }
    AmqpWriter.endMap(list, mapMark, tags == null ? 2 : 4);
    burst.advance();
  }

  private void readMore(LargeBody body) {
    var bytes = (int) Math.min(PIECE_BYTES, body.length() - position);
    body.read(position, bytes, link.port(), this);
  }

  @Override
  public void piece(ByteBuffer bytes) {
    var body = burst.bodies().large(burst.next());
    if (body == null) {
      throw new IllegalStateException("a piece without a body");
    }
    var read = Unpooled.wrappedBuffer(bytes);
    var length = read.readableBytes();
    if (position == 0) {
      write(read, read.readerIndex(), length);
    } else {
      list.writeBytes(read);
    }
    position += length;
    if (position < body.length()) {
      readMore(body);
    } else {
      body.release();
      endMessage();
      begin();
    }
  }

  @Override
  public void failed(Throwable cause) {
    burst.release();
    list.release();
    link.unreadable(String.valueOf(cause.getMessage()));
  }

  private void finish() {
    burst.release();
    AmqpWriter.endList(list, listMark, messages.count());
    link.ok(
        call,
        out -> {
          AmqpWriter.writeString(out, "messages");
          out.writeBytes(list);
          return 2;
        });
    list.release();
  }
}

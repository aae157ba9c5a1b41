package io.peeklock.amqp.management;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.message.LockTokens;
import io.peeklock.amqp.message.PendingBurst;
import io.peeklock.amqp.request.Call;
import io.peeklock.amqp.request.Reply;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The answer to peek and to receive-by-sequence-number: a list of maps, each with an encoded
 * message and, for locked ones, its token (T-37). Large bodies are read piece by piece into it; one
 * that is larger than what was counted is a {@link LargeAnswer}. What it locked is free again when
 * it does not go out.
 */
final class MessageListReply implements LargeBody.PieceListener {
  private static final int PIECE_BYTES = 256 << 10;

  private final ManagementNode node;
  private final Call call;
  private final PendingBurst burst;
  private final MessageBurst messages;
  private final boolean deferred;
  private ByteBuf list = Unpooled.EMPTY_BUFFER;
  private int mark;
  private int listMark;
  private int mapMark;
  private int binaryMark;
  private long position;
  private @Nullable LargeBody reading;
  private boolean released;

  private MessageListReply(
      ManagementNode node, Call call, MessageBurst messages, Bodies bodies, boolean deferred) {
    this.node = node;
    this.call = call;
    this.burst = PendingBurst.of(messages, bodies, node.host().loopContext().tokens);
    this.messages = messages;
    this.deferred = deferred;
  }

  /** Sends messages as the answer to a call; they are given back when they do not go out. */
  static void send(
      ManagementNode node, Call call, MessageBurst messages, Bodies bodies, boolean deferred) {
    var to = node.replyLink(call.replyTo());
    if (to == null) { // nothing is read for nobody
      bodies.drop();
      node.answered(call);
      node.undelivered(messages);
    } else if (LargeAnswer.suits(call, messages, bodies)) {
      new LargeAnswer(node, to, call, messages, bodies).send();
    } else {
      new MessageListReply(node, call, messages, bodies, deferred).begin();
    }
  }

  /** What it will have, as far as that was counted. */
  private int size(Call asked) {
    var bytes = 1_024 + burst.bytes(0, messages.count()) + messages.count() * 512L;
    return (int) Math.min(bytes, Math.max(1_024, asked.reserved()));
  }

  /** Writes what is there, and goes on as the pieces of large ones come. */
  private void begin() {
    releasedIfFails(
        () -> {
          list = node.host().channel().alloc().buffer(size(call));
          Reply.beginOk(list, call.messageId());
          mark = AmqpWriter.beginMap(list);
          AmqpWriter.writeString(list, "messages");
          listMark = AmqpWriter.beginList(list);
          resume();
        });
  }

  /** A fault ends the connection, and this gives back what it has. */
  private void releasedIfFails(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error fault) {
      release();
      node.undelivered(messages);
      throw fault;
    }
  }

  private void release() {
    if (!released) {
      released = true;
      list.release();
      burst.release();
      dropLarge();
    }
  }

  private void dropLarge() {
    var last = reading;
    reading = null;
    if (last != null) {
      last.release();
    }
  }

  private void resume() {
    while (!burst.isDone()) {
      mapMark = AmqpWriter.beginMap(list);
      AmqpWriter.writeString(list, "message");
      binaryMark = AmqpWriter.beginBinary(list);
      var large = burst.takeLarge();
      if (large != null) {
        reading = large;
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
    burst.write(list, node.host().loopContext().writer, stored, offset, length);
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
    body.read(position, bytes, node.port(), this);
  }

  @Override
  public void piece(ByteBuffer bytes) {
    releasedIfFails(() -> take(bytes));
  }

  private void take(ByteBuffer bytes) {
    var body = Invariant.present(reading, "a piece is of a body");
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
      dropLarge();
      endMessage();
      resume();
    }
  }

  @Override
  public void failed(Throwable cause) {
    release();
    node.undelivered(messages);
    node.unreadable(String.valueOf(cause.getMessage()));
  }

  private void finish() {
    AmqpWriter.endList(list, listMark, messages.count());
    AmqpWriter.endMap(list, mark, 2);
    var consumed = deferred && messages.lockIds() == null;
    var isGone = node.send(call, list, consumed);
    release();
    if (!isGone) {
      node.undelivered(messages);
    }
  }
}

package io.peeklock.amqp.management;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.link.LargeOutgoing;
import io.peeklock.amqp.message.LockTokens;
import io.peeklock.amqp.message.PendingBurst;
import io.peeklock.amqp.request.Call;
import io.peeklock.amqp.request.LargeReply;
import io.peeklock.amqp.request.Reply;
import io.peeklock.amqp.request.ReplyLink;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.runtime.Bodies;

/**
 * An answer to peek or to receive-by-sequence-number whose one message is larger than what was
 * counted for it, which is enough for the pieces that pass. What it locked is free again when it
 * does not go out.
 */
final class LargeAnswer extends LargeOutgoing implements LargeReply {
  private final ManagementNode node;
  private final ReplyLink link;
  private final Call call;
  private final MessageBurst messages;
  private final PendingBurst burst;
  private final ByteBuf tail = Unpooled.buffer(32); // what comes behind the message

  LargeAnswer(
      ManagementNode node, ReplyLink link, Call call, MessageBurst messages, Bodies bodies) {
    super(
        link, link.link(), node.port(), Invariant.present(bodies.large(0), "the message is large"));
    this.node = node;
    this.link = link;
    this.call = call;
    this.messages = messages;
    this.burst = PendingBurst.of(messages, bodies, node.host().loopContext().tokens);
  }

  /** Whether an answer is one of these. */
  static boolean suits(Call call, MessageBurst messages, Bodies bodies) {
    var only = messages.count() == 1 ? bodies.large(0) : null;
    return only != null && only.length() > call.reserved();
  }

  @Override
  public long reserved() {
    return call.reserved();
  }

  /** Waits for its turn on the reply link. */
  void send() {
    try {
      link.sendLarge(this);
    } catch (RuntimeException | Error fault) { // it ends the connection
      abandon();
      throw fault;
    }
  }

  @Override
  public void begin(long tag) {
    link.link().beginLargeDelivery(0, 0, tag, true);
    resume();
  }

  @Override
  public void writeFirst(ByteBuf out, ByteBuf read, long missing) {
    var tags = burst.tags();
    if (tags != null) {
      AmqpWriter.writeString(tail, "lock-token");
      AmqpWriter.writeUuid(tail, LockTokens.uuid(tags, burst.next()));
    }
    Reply.beginOk(out, call.messageId());
    var answer = AmqpWriter.beginMap(out);
    AmqpWriter.writeString(out, "messages");
    var list = AmqpWriter.beginList(out);
    var entry = AmqpWriter.beginMap(out);
    AmqpWriter.writeString(out, "message");
    var message = AmqpWriter.beginBinary(out);
    var writer = node.host().loopContext().writer;
    burst.write(out, writer, read, read.readerIndex(), read.readableBytes());
    var ofMessage = Math.toIntExact(missing);
    AmqpWriter.endBinary(out, message);
    add(out, message, ofMessage);
    var ofAll = ofMessage + tail.readableBytes();
    AmqpWriter.endMap(out, entry, tags == null ? 2 : 4);
    add(out, entry, ofAll);
    AmqpWriter.endList(out, list, 1);
    add(out, list, ofAll);
    AmqpWriter.endMap(out, answer, 2);
    add(out, answer, ofAll);
  }

  /** Has a size count bytes that are to come. */
  private static void add(ByteBuf out, int mark, int missing) {
    out.setInt(mark, out.getInt(mark) + missing);
  }

  @Override
  public void writeLast(ByteBuf out) {
    out.writeBytes(tail);
  }

  @Override
  public void written() {
    link.largeEnded();
  }

  @Override
  public void broken(String why) {
    node.undelivered(messages);
    link.link().abortLargeDelivery();
    link.largeEnded();
    node.unreadable(why);
  }

  /** Then nobody has the message. */
  @Override
  public void abandon() {
    if (end()) {
      node.undelivered(messages);
    }
  }

  @Override
  public boolean end() {
    var isNews = super.end();
    if (isNews) {
      burst.release();
      node.answered(call);
    }
    return isNews;
  }
}

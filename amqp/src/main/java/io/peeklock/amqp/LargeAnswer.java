package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.MessageBurst;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An answer to peek or to receive-by-sequence-number whose one message is larger than what was
 * counted for it. It is never whole in memory: each piece is read as the socket and the window have
 * room for it, so that what was counted is enough however large the message is. What it locked is
 * free again when it does not go out. On the connection's event loop.
 */
final class LargeAnswer implements LargeBody.PieceListener {
  private static final int PIECE_BYTES = 256 << 10;

  private final ManagementLink node;
  private final ReplyLink link;
  private final ManagementLink.Call call;
  private final MessageBurst messages;
  private final PendingBurst burst;
  private final boolean deferred;
  private final LargeBody body;
  private final ByteBuf tail = Unpooled.buffer(32); // what comes behind the message
  private @Nullable ByteBuf piece;
  private long position;
  private boolean begun;
  private boolean reading;
  private boolean over;

  LargeAnswer(
      ManagementLink node,
      ReplyLink link,
      ManagementLink.Call call,
      MessageBurst messages,
      Bodies bodies,
      boolean deferred) {
    this.node = node;
    this.link = link;
    this.call = call;
    this.messages = messages;
    this.body = Invariant.present(bodies.large(0), "the message is large");
    this.burst = PendingBurst.of(messages, bodies, node.connection.desk().tokens);
    this.deferred = deferred;
  }

  /** Whether an answer is one of these. */
  static boolean suits(ManagementLink.Call call, MessageBurst messages, Bodies bodies) {
    var only = messages.count() == 1 ? bodies.large(0) : null;
    return only != null && only.length() > call.reserved();
  }

  /** Bytes that are counted for it until its last piece was written. */
  long reserved() {
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

  /**
   * It is its turn: the reply link has credit for it, and is its own until this has told it {@link
   * ReplyLink#largeEnded}.
   */
  void begin(long tag) {
    link.link().beginLargeDelivery(0, 0, tag, true);
    begun = true;
    goOn();
  }

  /** Sends and reads on as far as there is room. */
  void goOn() {
    if (over || reading || !node.connection.hasOutputRoom()) {
      return;
    }
    if (piece != null) {
      offer(piece);
    } else {
      reading = true;
      var bytes = (int) Math.min(PIECE_BYTES, body.length() - position);
      body.read(position, bytes, node.port(), this);
    }
  }

  @Override
  public void piece(ByteBuffer bytes) {
    reading = false;
    if (over) {
      return;
    }
    var read = Unpooled.wrappedBuffer(bytes);
    var next = node.connection.channel().alloc().buffer(read.readableBytes() + 2_048);
    piece = next; // abandon releases it, whatever happens
    var isFirst = position == 0;
    position += read.readableBytes();
    if (isFirst) {
      writeFirst(next, read);
    } else {
      next.writeBytes(read);
    }
    if (isLast()) {
      next.writeBytes(tail);
    }
    offer(next);
  }

  private boolean isLast() {
    return position >= body.length();
  }

  /**
   * The first piece holds all that has to be rewritten, so that from here on all sizes are known.
   */
  private void writeFirst(ByteBuf out, ByteBuf read) {
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
    var writer = node.connection.desk().writer;
    burst.write(out, writer, read, read.readerIndex(), read.readableBytes(), deferred);
    var missing = Math.toIntExact(body.length() - position);
    AmqpWriter.endBinary(out, message);
    add(out, message, missing);
    missing += tail.readableBytes();
    AmqpWriter.endMap(out, entry, tags == null ? 2 : 4);
    add(out, entry, missing);
    AmqpWriter.endList(out, list, 1);
    add(out, list, missing);
    AmqpWriter.endMap(out, answer, 2);
    add(out, answer, missing);
  }

  /** Has a size count bytes that are to come. */
  private static void add(ByteBuf out, int mark, int missing) {
    out.setInt(mark, out.getInt(mark) + missing);
  }

  private void offer(ByteBuf next) {
    if (link.link().continueLargeDelivery(next, isLast())) {
      next.release();
      piece = null;
      if (isLast()) {
        release();
        link.largeEnded();
        return;
      }
    }
    node.connection.pumpLater(link);
  }

  @Override
  public void failed(Throwable cause) {
    reading = false;
    if (!over) {
      abandon();
      if (begun) {
        link.link().abortLargeDelivery();
        link.largeEnded();
      }
      node.unreadable(String.valueOf(cause.getMessage()));
    }
  }

  /** It does not go out, or not whole: nobody has the message. */
  void abandon() {
    if (!over) {
      release();
      node.undelivered(messages);
    }
  }

  private void release() {
    over = true;
    if (piece != null) {
      piece.release();
      piece = null;
    }
    burst.release(); // the large body too, which nobody took from it
    node.answered(call);
  }
}

package io.peeklock.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.peeklock.runtime.RateLimitedLog;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the framing of WebSocket (RFC 6455) off what a client sends, and hands on the payload of
 * binary messages as it comes. Where a frame or a message ends means nothing to AMQP, so nothing is
 * put together: whatever length a frame announces, no byte of it is kept here. (Netty's own decoder
 * waits for the whole frame, which anybody could make as large as it is allowed to be.)
 *
 * <p>Pings are answered, the last of those that came at a time, while the peer reads our answers; a
 * close is answered and ends the connection; what no client of good will sends ends it with the
 * code of RFC 6455 7.4.
 */
final class WebSocketReader extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(WebSocketReader.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(LOG);

  private static final int CONTINUATION = 0x0;
  private static final int TEXT = 0x1;
  private static final int BINARY = 0x2;
  private static final int CLOSE = 0x8;
  private static final int PING = 0x9;
  private static final int PONG = 0xA;
  private static final int PROTOCOL_ERROR = 1002;
  private static final int NOT_BINARY = 1003;
  private static final int CONTROL_BYTES = 125;
  private static final int MASK_BYTES = 4;

  private final InetSocketAddress remote;
  private final byte[] mask = new byte[MASK_BYTES];
  private long left;
  private int masked;
  private boolean midMessage;
  private boolean ending;
  private @Nullable ByteBuf pong;

  WebSocketReader(InetSocketAddress remote) {
    this.remote = remote;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out) {
    if (ending) {
      bytes.skipBytes(bytes.readableBytes());
    } else if (left > 0) {
      payload(bytes, out);
    } else {
      head(context, bytes);
    }
  }

  private void payload(ByteBuf bytes, List<Object> out) {
    var count = (int) Math.min(left, bytes.readableBytes());
    unmask(bytes, count);
    out.add(bytes.readRetainedSlice(count));
    left -= count;
  }

  /** In place: these bytes are read by nobody else. */
  private void unmask(ByteBuf bytes, int count) {
    var at = bytes.readerIndex();
    var end = at + count;
    while (at < end && masked != 0) {
      at = unmaskOne(bytes, at);
    }
    var word = (mask[0] & 0xff) << 24 | (mask[1] & 0xff) << 16 | (mask[2] & 0xff) << 8;
    word |= mask[3] & 0xff;
    var pair = (long) word << 32 | (word & 0xffff_ffffL);
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      bytes.setLong(at, bytes.getLong(at) ^ pair);
    }
    while (at < end) {
      at = unmaskOne(bytes, at);
    }
  }

  private int unmaskOne(ByteBuf bytes, int at) {
    bytes.setByte(at, bytes.getByte(at) ^ mask[masked]);
    masked = (masked + 1) % MASK_BYTES;
    return at + 1;
  }

  /** Reads a frame's head when it is there whole; of a control frame, all of it. */
  private void head(ChannelHandlerContext context, ByteBuf bytes) {
    var start = bytes.readerIndex();
    if (bytes.readableBytes() < 2) {
      return;
    }
    var first = bytes.getUnsignedByte(start);
    var second = bytes.getUnsignedByte(start + 1);
    var shortLength = second & 0x7f;
    var wrong = wrongWith(first, (second & 0x80) != 0, shortLength);
    if (wrong != 0) {
      end(context, wrong, "a frame begins with " + Integer.toHexString(first << 8 | second));
      return;
    }
    var more = shortLength < 126 ? 0 : shortLength == 126 ? 2 : 8;
    var headBytes = 2 + more + MASK_BYTES;
    if (bytes.readableBytes() < headBytes) {
      return;
    }
    var length = shortLength;
    var longLength = lengthOf(bytes, start + 2, more, length);
    if (longLength < shortestOf(more)) {
      end(context, PROTOCOL_ERROR, "a frame's length is not said in the shortest way");
      return;
    }
    var opcode = first & 0x0f;
    if (opcode > BINARY && bytes.readableBytes() < headBytes + length) {
      return;
    }
    bytes.skipBytes(headBytes - MASK_BYTES).readBytes(mask);
    masked = 0;
    if (opcode > BINARY) {
      control(context, opcode, bytes.readSlice(length));
    } else {
      left = longLength;
      midMessage = (first & 0x80) == 0;
    }
  }

  private static long lengthOf(ByteBuf bytes, int at, int more, int shortLength) {
    return switch (more) {
      case 0 -> shortLength;
      case 2 -> bytes.getUnsignedShort(at);
      default -> bytes.getLong(at);
    };
  }

  /** The shortest length that needs so many bytes more to be said. */
  private static long shortestOf(int more) {
    return switch (more) {
      case 0 -> 0;
      case 2 -> 126;
      default -> 1 << 16;
    };
  }

  /** The code to close with, 0 when all is well. */
  private int wrongWith(int first, boolean isMasked, int shortLength) {
    var last = (first & 0x80) != 0;
    var opcode = first & 0x0f;
    if ((first & 0x70) != 0 || !isMasked) {
      return PROTOCOL_ERROR;
    }
    return switch (opcode) {
      case CONTINUATION -> midMessage ? 0 : PROTOCOL_ERROR;
      case BINARY -> midMessage ? PROTOCOL_ERROR : 0;
      case TEXT -> NOT_BINARY;
      case CLOSE, PING, PONG -> last && shortLength <= CONTROL_BYTES ? 0 : PROTOCOL_ERROR;
      default -> PROTOCOL_ERROR;
    };
  }

  private void control(ChannelHandlerContext context, int opcode, ByteBuf payload) {
    unmask(payload, payload.readableBytes());
    switch (opcode) {
      case PING -> {
        dropPong();
        pong = frame(context, PONG, payload);
      }
      case PONG -> {}
      default -> {
        ending = true;
        var code = payload.readableBytes() < 2 ? payload : payload.slice(payload.readerIndex(), 2);
        var unused = context.writeAndFlush(frame(context, CLOSE, code));
        unused = context.close();
      }
    }
  }

  /** Of all pings that were read at a time the last one is answered (RFC 6455 5.5.3). */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    var answer = pong;
    pong = null;
    if (answer != null && context.channel().isWritable() && !ending) {
      var unused = context.writeAndFlush(answer);
    } else if (answer != null) { // else it would pile up behind what is not read
      answer.release();
    }
    super.channelReadComplete(context);
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) {
    dropPong();
  }

  private void dropPong() {
    if (pong != null) {
      pong.release();
      pong = null;
    }
  }

  private void end(ChannelHandlerContext context, int code, String reason) {
    REFUSALS.warn("WebSocket from {} closed: {}", remote, reason);
    ending = true;
    var payload = context.alloc().buffer(2).writeShort(code);
    var unused = context.writeAndFlush(frame(context, CLOSE, payload));
    payload.release();
    unused = context.close();
  }

  private static ByteBuf frame(ChannelHandlerContext context, int opcode, ByteBuf payload) {
    return context
        .alloc()
        .buffer(2 + payload.readableBytes())
        .writeByte(0x80 | opcode)
        .writeByte(payload.readableBytes())
        .writeBytes(payload, payload.readerIndex(), payload.readableBytes());
  }
}

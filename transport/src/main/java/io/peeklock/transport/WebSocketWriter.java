package io.peeklock.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/** Puts bytes into binary messages of WebSocket, and says goodbye before the connection ends. */
final class WebSocketWriter extends ChannelOutboundHandlerAdapter {
  /** Clients have limits for a message: 65,535 bytes is the least that was seen. */
  private static final int MOST_PAYLOAD = 32 << 10;

  private static final int BINARY = 0x82;
  private static final int CLOSE = 0x88;
  private static final int GOING_AWAY = 1001;
  private static final int HEAD_BYTES = 4;

  private boolean closed;

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (!(message instanceof ByteBuf bytes)) {
      var unused = context.write(message, promise);
      return;
    }
    while (bytes.readableBytes() > MOST_PAYLOAD) {
      var part = bytes.readRetainedSlice(MOST_PAYLOAD);
      var unused = context.write(head(context, MOST_PAYLOAD), context.voidPromise());
      unused = context.write(part, context.voidPromise());
    }
    if (bytes.isReadable()) {
      var unused = context.write(head(context, bytes.readableBytes()), context.voidPromise());
    }
    writeLast(context, bytes, promise);
  }

  private static void writeLast(
      ChannelHandlerContext context, ByteBuf bytes, ChannelPromise promise) {
    var unused = context.write(bytes, promise);
  }

  private static ByteBuf head(ChannelHandlerContext context, int length) {
    var head = context.alloc().buffer(HEAD_BYTES).writeByte(BINARY);
    return length < 126 ? head.writeByte(length) : head.writeByte(126).writeShort(length);
  }

  /** The goodbye goes if the socket takes it; nobody waits for one who does not read. */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (!closed && context.channel().isActive()) {
      closed = true;
      var goodbye = context.alloc().buffer(HEAD_BYTES).writeByte(CLOSE).writeByte(2);
      sayGoodbye(context, goodbye.writeShort(GOING_AWAY));
    }
    var unused = context.close(promise);
  }

  private static void sayGoodbye(ChannelHandlerContext context, ByteBuf goodbye) {
    var unused = context.writeAndFlush(goodbye);
  }
}

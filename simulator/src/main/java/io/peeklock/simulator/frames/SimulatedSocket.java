package io.peeklock.simulator.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;

/** The broker's end of a connection; only its loop may touch it. */
final class SimulatedSocket extends EmbeddedChannel {
  private static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(64 << 10, 256 << 10);

  private final EventLoop loop;
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private long room = Long.MAX_VALUE;

  SimulatedSocket(EventLoop loop, ByteBufAllocator memory, ChannelHandler handler) {
    this.loop = loop;
    config().setAllocator(memory);
    config().setWriteBufferWaterMark(MARKS);
    pipeline().addLast(handler);
  }

  @Override
  public EventLoop eventLoop() {
    return loop == null ? super.eventLoop() : loop; // while the super class is made
  }

  /** Bytes come from the client, as a whole burst. */
  void receive(byte[] bytes) {
    pipeline().fireChannelRead(Unpooled.copiedBuffer(bytes));
    pipeline().fireChannelReadComplete();
    checkException();
  }

  boolean reads() {
    return isOpen() && config().isAutoRead();
  }

  /** The network takes so many bytes more for now. */
  void takes(long bytes) {
    room = bytes;
    var unused = flush();
  }

  /** What was sent since this was asked last. */
  byte[] taken() {
    var bytes = sent.toByteArray();
    sent.reset();
    return bytes;
  }

  boolean hasSent() {
    return sent.size() > 0;
  }

  @Override
  protected void doWrite(ChannelOutboundBuffer waiting) {
    while (room > 0 && waiting.current() instanceof ByteBuf next) {
      var count = (int) Math.min(room, next.readableBytes());
      if (room != Long.MAX_VALUE) {
        room -= count;
      }
      var bytes = new byte[count];
      next.getBytes(next.readerIndex(), bytes);
      sent.writeBytes(bytes);
      waiting.removeBytes(count);
    }
  }
}

package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;

/** A channel in memory whose socket takes as many bytes as it is told to. */
final class SlowChannel extends EmbeddedChannel {
  private long room = Long.MAX_VALUE;

  SlowChannel() {
    config().setWriteBufferWaterMark(new WriteBufferWaterMark(64 << 10, 256 << 10));
  }

  /** From now on it takes so many more bytes. */
  void takes(long bytes) {
    room = bytes;
    var unused = flush();
  }

  /** Bytes that wait in our memory. */
  long waiting() {
    var buffer = unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  @Override
  protected void doWrite(ChannelOutboundBuffer waiting) {
    while (room > 0 && waiting.current() instanceof ByteBuf next) {
      var bytes = (int) Math.min(room, next.readableBytes());
      room -= bytes;
      outboundMessages().add(next.copy(next.readerIndex(), bytes));
      waiting.removeBytes(bytes);
    }
  }
}

package io.peeklock.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Netty's decoder, at its strictest, that tells when bytes have come; and that can be told to
 * discard, so that what comes after the last request costs no more than to throw it away.
 */
final class StrictRequestDecoder extends HttpRequestDecoder {
  private final IntConsumer whenBytesCome;
  private boolean discarding;

  StrictRequestDecoder(HttpLimits limits, IntConsumer whenBytesCome) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.lineBytes())
            .setMaxHeaderSize(limits.headerBytes())
            .setMaxChunkSize(64 << 10)
            .setInitialBufferSize(512)
            .setStrictLineParsing(true)
            .setUseRfc9112TransferEncoding(true) // a length said in two ways is refused
            .setAllowDuplicateContentLengths(false));
    this.whenBytesCome = whenBytesCome;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    whenBytesCome.accept(message instanceof ByteBuf bytes ? bytes.readableBytes() : 0);
    if (discarding) {
      ReferenceCountUtil.release(message);
    } else {
      super.channelRead(context, message);
    }
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out)
      throws Exception {
    if (discarding) {
      bytes.skipBytes(bytes.readableBytes());
    } else {
      super.decode(context, bytes, out);
    }
  }

  /** Nothing is decoded any more, not even what is here already. */
  @EventLoopThread
  void discardRest() {
    discarding = true;
  }
}

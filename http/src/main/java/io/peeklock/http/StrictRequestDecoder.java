package io.peeklock.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;

/** Netty's decoder, at its strictest, that tells when bytes have come. */
final class StrictRequestDecoder extends HttpRequestDecoder {
  private final Runnable whenBytesCome;

  StrictRequestDecoder(HttpLimits limits, Runnable whenBytesCome) {
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
    whenBytesCome.run();
    super.channelRead(context, message);
  }
}

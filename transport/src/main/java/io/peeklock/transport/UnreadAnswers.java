package io.peeklock.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.concurrent.TimeUnit;

/**
 * Does not let a connection be read while its peer leaves much unread of what it is answered: TLS
 * answers some records by itself, and who sends only these must not fill the broker. A handler that
 * looks at that itself takes its {@linkplain #leaveTo place}.
 */
@EventLoopThread
final class UnreadAnswers extends ChannelInboundHandlerAdapter {
  /** More than a handshake answers; what is larger, as a list, is one answer. */
  private static final int MOST_BYTES = 64 << 10;

  private static final long LOOK_MILLIS = 100;

  private boolean holds;

  /** From now on a handler of this channel looks at that itself. */
  static void leaveTo(Channel channel) {
    var own = channel.pipeline().get(UnreadAnswers.class);
    if (own != null) {
      channel.pipeline().remove(own);
    }
  }

  /** Whether a peer has left so much unread that nothing more is read of it. */
  static boolean areMany(Channel channel) {
    var output = channel.unsafe().outboundBuffer();
    return output != null && output.totalPendingWriteBytes() > MOST_BYTES;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
    if (!holds && !context.isRemoved() && areMany(context.channel())) {
      holds = true;
      LoopTurnHandler.hold(context.channel());
      lookLater(context);
    }
  }

  /** Nobody tells when little is taken, so it is looked at. */
  private void lookLater(ChannelHandlerContext context) {
    var unused =
        context.executor().schedule(() -> look(context), LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look(ChannelHandlerContext context) {
    if (holds && areMany(context.channel())) {
      lookLater(context);
    } else {
      letGo(context);
    }
  }

  private void letGo(ChannelHandlerContext context) {
    if (holds && context.channel().isOpen()) {
      holds = false;
      LoopTurnHandler.letGo(context.channel());
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    letGo(context);
  }
}

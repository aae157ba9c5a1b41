package io.peeklock.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.peeklock.runtime.thread.EventLoopThread;

/**
 * Stands before the TLS of a connection, and lets nothing through while something is computed for
 * it: TLS has a lock then, for which the event loop, and with it everybody else, would wait.
 * Whoever goes meanwhile goes without a word; its TLS ends with its pipeline.
 */
final class HandshakeGate extends ChannelInboundHandlerAdapter {
  private int steps;

  /** Something is to be computed. */
  @EventLoopThread
  void shut() {
    steps++;
  }

  /** It is, once for each {@link #shut}. */
  @EventLoopThread
  void open() {
    steps--;
  }

  /** Drops a connection. On its event loop, for its TLS may be at work. */
  static void drop(Channel channel) {
    if (isShut(channel)) {
      Disconnect.atOnce(channel);
      return;
    }
    var unused = channel.close(); // whoever cares has a listener on the close future
  }

  /** Whether something is computed for a channel, or waits for it. */
  @EventLoopThread
  static boolean isShut(Channel channel) {
    var gate = channel.pipeline().get(HandshakeGate.class);
    return gate != null && gate.steps > 0;
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (steps == 0) {
      context.fireChannelInactive();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (steps == 0) {
      context.fireExceptionCaught(cause);
    } else {
      Disconnect.atOnce(context.channel()); // the peer has reset it: ports are checked like that
    }
  }
}

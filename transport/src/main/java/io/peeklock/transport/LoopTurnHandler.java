package io.peeklock.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.RecvByteBufAllocator;
import io.peeklock.runtime.thread.EventLoopThread;
import org.jspecify.annotations.Nullable;

/**
 * Measures at the head of a pipeline what all that is behind it makes of what was read, and stops
 * the reading when the connection must wait for {@link LoopTurns its turn}. Whether the handlers
 * behind want to read is said by the channel's auto-read, which this leaves as it is: it keeps the
 * request back, and passes it on when the turn comes.
 */
final class LoopTurnHandler extends ChannelDuplexHandler {
  private final LoopTurns turns;
  private @Nullable ChannelHandlerContext context;
  private @Nullable ConnectionTurn turn;

  private LoopTurnHandler(LoopTurns turns) {
    this.turns = turns;
  }

  /** Puts one in front of all that a channel has, and bounds its reads. */
  static void guard(Channel channel, LoopTurns turns, RecvByteBufAllocator sizes) {
    var handler = new LoopTurnHandler(turns);
    channel.pipeline().addFirst("turn", handler);
    var turn = handler.turn;
    if (turn != null) {
      channel.config().setRecvByteBufAllocator(new BoundedReads(sizes, turn));
    }
  }

  /** The peer has logged in. */
  @EventLoopThread
  static void recognise(Channel channel) {
    var handler = channel.pipeline().get(LoopTurnHandler.class);
    if (handler != null && handler.turn != null) {
      handler.turn.authenticated();
    }
  }

  /** How long a channel stood in line so far, and was not read. */
  @EventLoopThread
  static long unreadNanos(Channel channel) {
    var handler = channel.pipeline().get(LoopTurnHandler.class);
    return handler != null && handler.turn != null ? handler.turn.unreadNanos() : 0;
  }

  /** A channel is not read until it is let go, once for each time. */
  @EventLoopThread
  static void hold(Channel channel) {
    var handler = channel.pipeline().get(LoopTurnHandler.class);
    if (handler != null && handler.turn != null) {
      var stoppedBefore = handler.turn.isStopped();
      handler.turn.hold();
      if (!stoppedBefore) {
        stop(channel);
      }
    }
  }

  /** Ends one {@link #hold}. */
  @EventLoopThread
  static void letGo(Channel channel) {
    var handler = channel.pipeline().get(LoopTurnHandler.class);
    if (handler != null && handler.turn != null) {
      handler.turn.letGo();
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    turn = new ConnectionTurn(turns, this::resume);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    if (turn != null) {
      turn.end();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext here, Object message) {
    if (turn != null) {
      turn.read();
    }
    here.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext here) {
    here.fireChannelReadComplete();
    if (turn != null) {
      var stoppedBefore = turn.isStopped();
      turn.handled();
      if (turn.isStopped() && !stoppedBefore) {
        stop(here.channel());
      }
    }
  }

  /**
   * Nothing is read from now on, although auto-read stays what it is: switched off, it takes the
   * channel from those that are looked at; switched on again, it asks for a read, which waits here.
   */
  private static void stop(Channel channel) {
    if (channel.config().isAutoRead()) {
      channel.config().setAutoRead(false);
      channel.config().setAutoRead(true);
    }
  }

  /**
   * Reads only while auto-read is on. TLS and other decoders ask for one read more where it is off
   * and what they got so far tells nothing: a peer that sends nothing else would be read without an
   * end although a handler has stopped it. Auto-read asks by itself when it is on again.
   */
  @Override
  public void read(ChannelHandlerContext here) {
    if (here.channel().config().isAutoRead() && (turn == null || !turn.isStopped())) {
      here.read();
    }
  }

  private void resume() {
    var here = context;
    if (here != null && here.channel().config().isAutoRead()) {
      here.read();
    }
  }
}

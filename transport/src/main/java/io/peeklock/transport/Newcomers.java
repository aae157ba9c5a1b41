package io.peeklock.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.function.Predicate;

/**
 * Lets newcomers of a listening socket in, some in each round of its loop, in the order in which
 * they came. Where a round was full and somebody waits in the next one, those that have hung up by
 * then are closed unheard: the others need not wait until things are done for which nobody waits.
 * Else nobody is asked, so that whoever sends something and hangs up at once is heard.
 */
@EventLoopThread
final class Newcomers extends ChannelInboundHandlerAdapter {
  /** So many are taken from the system in a round, with those that have hung up. */
  static final int MOST_TAKEN = 128;

  /**
   * States of a connection in Linux: the peer has reset it, or has closed its side. Of the latter
   * the system cannot tell whether it still reads.
   */
  private static final int CLOSED = 7;

  private static final int CLOSE_WAIT = 8;

  /**
   * Ends of rounds until it is known whether a full one left somebody behind: its own, and that of
   * the next one, in which the loop looks again.
   */
  private static final int ENDS_UNTIL_KNOWN = 2;

  private final LoopTurns turns;
  private final ConnectionLimiter limiter;
  private final Predicate<Channel> hungUp;
  private int budget = 1;
  private int taken;
  private int closed;
  private boolean crowded;

  /** Above 0 a round was full, and the loop has not looked again since. */
  private int endsUntilKnown;

  /**
   * Those of one socket.
   *
   * @param turns of the loop on which it listens
   * @param limiter counts who is closed unheard
   */
  Newcomers(LoopTurns turns, ConnectionLimiter limiter) {
    this(turns, limiter, Newcomers::hasHungUp);
  }

  /** For tests, which say who has hung up. */
  Newcomers(LoopTurns turns, ConnectionLimiter limiter, Predicate<Channel> hungUp) {
    this.turns = turns;
    this.limiter = limiter;
    this.hungUp = hungUp;
  }

  /** The loop has looked, and somebody waits. */
  void roundBegins() {
    crowded = endsUntilKnown > 0;
    budget = turns.newcomers();
    taken = 0;
    closed = 0;
  }

  /**
   * So many more are taken from the system. With epoll each one comes {@linkplain #channelRead in}
   * before the next one is taken, without it all come in when no more are.
   */
  void took(int count) {
    taken += count;
  }

  /** Whether one more may be taken from the system in this round. */
  boolean takesMore() {
    return taken - closed < budget && taken < MOST_TAKEN;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object newcomer) {
    if (crowded && newcomer instanceof Channel channel && hungUp.test(channel)) {
      closed++;
      limiter.closedUnheard();
      channel.unsafe().closeForcibly();
      return;
    }
    context.fireChannelRead(newcomer);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (!takesMore()) {
      var waits = endsUntilKnown > 0;
      endsUntilKnown = ENDS_UNTIL_KNOWN;
      if (!waits) {
        turns.whenRoundEnds(this::roundEnds);
      }
    }
    context.fireChannelReadComplete();
  }

  private void roundEnds() {
    endsUntilKnown--;
    if (endsUntilKnown > 0) {
      turns.whenRoundEnds(this::roundEnds);
    }
  }

  private static boolean hasHungUp(Channel newcomer) {
    if (!(newcomer instanceof EpollSocketChannel socket)) {
      return false; // nobody can tell
    }
    try {
      var info = new EpollTcpInfo();
      socket.tcpInfo(info);
      return info.state() == CLOSED || info.state() == CLOSE_WAIT;
    } catch (ChannelException gone) {
      return true;
    }
  }
}

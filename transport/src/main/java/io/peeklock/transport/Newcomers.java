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
 * they came. Where more wait, those that have hung up meanwhile are closed unheard: the next ones
 * need not wait until things are done for which nobody waits. Where none waits nobody is asked, so
 * that whoever sends something and hangs up at once is heard.
 */
@EventLoopThread
final class Newcomers extends ChannelInboundHandlerAdapter {
  /** So many are taken from the system in a round, with those that have hung up. */
  static final int MOST_TAKEN = 128;

  /** States of a connection in Linux: the peer has reset it, or has closed its side. */
  private static final int CLOSED = 7;

  private static final int CLOSE_WAIT = 8;

  /** A crowd of so long ago is over. */
  private static final long CROWD_NANOS = 100_000_000;

  private final LoopTurns turns;
  private final Predicate<Channel> hungUp;
  private int taken;
  private int letIn;
  private boolean crowded;
  private long beganNanos;

  /** Those of a socket that listens on the loop with these turns. */
  Newcomers(LoopTurns turns) {
    this(turns, Newcomers::hasHungUp);
  }

  /** For tests, which say who has hung up. */
  Newcomers(LoopTurns turns, Predicate<Channel> hungUp) {
    this.turns = turns;
    this.hungUp = hungUp;
    this.beganNanos = turns.nanoTime();
  }

  /** Another round begins. */
  void roundBegins() {
    var now = turns.nanoTime();
    crowded = !takesMore() && now - beganNanos < CROWD_NANOS;
    beganNanos = now;
    taken = 0;
    letIn = 0;
  }

  /** Whether one more may be taken from the system in this round. */
  boolean takesMore() {
    return letIn <= turns.newcomers() && taken < MOST_TAKEN;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object newcomer) {
    taken++;
    if ((crowded || letIn >= turns.newcomers())
        && newcomer instanceof Channel channel
        && hungUp.test(channel)) {
      channel.unsafe().closeForcibly();
      return;
    }
    letIn++;
    context.fireChannelRead(newcomer);
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

package io.peeklock.transport;

import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The threads that sockets live on: epoll where the system has it, else NIO. */
public final class EventLoops implements AutoCloseable {
  private final EventLoopGroup group;
  private final boolean epoll;
  private final LoopWatch watch;
  private final Handshakes handshakes;
  private final Map<EventExecutor, LoopTurns> turns = new HashMap<>();

  private EventLoops(EventLoopGroup group, int count, boolean epoll) {
    this.group = group;
    this.handshakes = new Handshakes(count);
    this.epoll = epoll;
    this.watch = new LoopWatch(group);
    for (var loop : group) {
      // A task that is due is looked for once in a round, one that is handed over at once.
      turns.put(loop, new LoopTurns(loop.ticker()::nanoTime, task -> later(loop, task)));
    }
  }

  /**
   * Starts loops.
   *
   * @param count how many, from 1
   */
  public static EventLoops start(int count) {
    return start(count, Epoll.isAvailable());
  }

  /** For tests: those that a system without epoll has. */
  static EventLoops ofNio(int count) {
    return start(count, false);
  }

  private static EventLoops start(int count, boolean epoll) {
    IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    var threads = new DefaultThreadFactory("peeklock-loop");
    var group = new MultiThreadIoEventLoopGroup(count, threads, handlers);
    return new EventLoops(group, count, epoll);
  }

  /** How many loops a machine with so many cores should have (design.md 3). */
  public static int countFor(int cores) {
    return cores <= 2 ? 1 : cores / 2;
  }

  /** One of the loops; always the same one while there is only one. */
  public EventLoop next() {
    return group.next();
  }

  private static void later(EventExecutor loop, Runnable task) {
    var unused = loop.schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  /** How the connections of a loop share its time. */
  LoopTurns turnsOf(EventLoop loop) {
    var found = turns.get(loop);
    if (found == null) {
      throw new IllegalArgumentException("not one of these loops");
    }
    return found;
  }

  boolean isEpoll() {
    return epoll;
  }

  /** Who computes what TLS handshakes need, on as many threads as there are loops. */
  Handshakes handshakes() {
    return handshakes;
  }

  /** Who notices how long they keep connections waiting. */
  public LoopWatch watch() {
    return watch;
  }

  /** All of them. */
  public EventLoopGroup group() {
    return group;
  }

  /** Makes sockets that listen on these loops. */
  ChannelFactory<ServerSocketChannel> sockets() {
    return epoll ? EpollServerSocketChannel::new : NioServerSocketChannel::new;
  }

  /** Ends the loops, dropping what is still open on them. Blocks, for seconds at most. */
  @Override
  public void close() {
    handshakes.close();
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
  }
}

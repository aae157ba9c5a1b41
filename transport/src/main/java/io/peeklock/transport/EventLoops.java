package io.peeklock.transport;

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
import java.util.concurrent.TimeUnit;

/** The threads that sockets live on: epoll where the system has it, else NIO. */
public final class EventLoops implements AutoCloseable {
  private final EventLoopGroup group;
  private final boolean epoll;
  private final LoopWatch watch;

  private EventLoops(EventLoopGroup group, boolean epoll) {
    this.group = group;
    this.epoll = epoll;
    this.watch = new LoopWatch(group);
  }

  /**
   * Starts loops.
   *
   * @param count how many, from 1
   */
  public static EventLoops start(int count) {
    var epoll = Epoll.isAvailable();
    IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    var threads = new DefaultThreadFactory("peeklock-loop");
    return new EventLoops(new MultiThreadIoEventLoopGroup(count, threads, handlers), epoll);
  }

  /** How many loops a machine with so many cores should have (design.md 3). */
  public static int countFor(int cores) {
    return cores <= 2 ? 1 : cores / 2;
  }

  /** One of the loops; always the same one while there is only one. */
  public EventLoop next() {
    return group.next();
  }

  boolean isEpoll() {
    return epoll;
  }

  /** Who notices how long they keep connections waiting. */
  public LoopWatch watch() {
    return watch;
  }

  /** All of them. */
  public EventLoopGroup group() {
    return group;
  }

  Class<? extends ServerSocketChannel> channelType() {
    return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /** Ends the loops, dropping what is still open on them. Blocks, for seconds at most. */
  @Override
  public void close() {
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
  }
}

package io.peeklock.transport;

import io.netty.channel.ChannelHandler;

/** Makes the handler that talks to a peer from its first byte on. */
@FunctionalInterface
public interface HandlerFactory {

  /** On the connection's event loop. The handler then sees all bytes, the sniffed ones included. */
  ChannelHandler newHandler(Arrival arrival);
}

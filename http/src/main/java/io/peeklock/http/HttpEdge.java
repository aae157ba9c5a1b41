package io.peeklock.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The door of this room: makes the handler of each HTTP connection and knows those that are alive.
 * Safe for any thread.
 */
public final class HttpEdge {
  private final HttpLimits limits;
  private final RequestChecks checks;
  private final Router router;
  private final AtomicLong staged = new AtomicLong();
  private final Origins origins;
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();

  /**
   * An edge with these routes.
   *
   * @param names by which loopback clients may call the broker
   * @param router for connections that have none of their own
   */
  public HttpEdge(HttpLimits limits, HostNames names, Router router) {
    this(limits, names, router, Origins.NONE);
  }

  /** The same, with pages of other origins let in. */
  public HttpEdge(HttpLimits limits, HostNames names, Router router, Origins origins) {
    this.limits = limits;
    this.origins = origins;
    this.checks = new RequestChecks(limits, names, origins);
    this.router = router;
  }

  /** A handler for a new connection, to be the last in its pipeline; it sees plain bytes. */
  public ChannelHandler newConnectionHandler(HttpPeer peer) {
    return newConnectionHandler(peer, authority -> router);
  }

  /** The same with routes that depend on the host that each request names. */
  public ChannelHandler newConnectionHandler(HttpPeer peer, Sites sites) {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        var connection = new HttpConnection(HttpEdge.this, peer, sites);
        channel
            .pipeline()
            .addLast(new StrictRequestDecoder(limits, connection::bytesCame))
            .addLast(new HttpResponseEncoder())
            .addLast(connection);
      }
    };
  }

  /** Ends connections without a request now, others with their answer. Returns at once. */
  public void closeAll() {
    connections.forEach(HttpConnection::closeSoon);
  }

  /** How many connections are alive. */
  public int liveConnections() {
    return connections.size();
  }

  HttpLimits limits() {
    return limits;
  }

  Origins origins() {
    return origins;
  }

  RequestChecks checks() {
    return checks;
  }

  /** Asks for room for a part of a body; what was given is given back with {@link #unstage}. */
  boolean stage(long bytes) {
    if (staged.addAndGet(bytes) <= limits.stagedBytes()) {
      return true;
    }
    staged.addAndGet(-bytes);
    return false;
  }

  void unstage(long bytes) {
    staged.addAndGet(-bytes);
  }

  void joined(HttpConnection connection) {
    connections.add(connection);
  }

  void left(HttpConnection connection) {
    connections.remove(connection);
  }
}

package io.peeklock.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The entry of this module: makes the handler of each HTTP connection and knows those that are
 * alive.
 */
@AnyThread
public final class HttpEdge {
  private final ConnectionTerms terms;
  private final Router router;
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
    var checks = new RequestChecks(limits, names, origins);
    this.terms = new ConnectionTerms(limits, checks, origins, HttpBudgets.within(limits));
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
        var connection = new HttpConnection(terms, peer, sites, connections);
        channel
            .pipeline()
            .addLast(new StrictRequestDecoder(terms.limits(), connection::bytesCame))
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

  /** What bodies take of memory now, and may. */
  @AnyThread
  public List<BudgetUse> budgets() {
    return memory().use();
  }

  /** The memory that connections share. */
  HttpBudgets memory() {
    return terms.budgets();
  }
}

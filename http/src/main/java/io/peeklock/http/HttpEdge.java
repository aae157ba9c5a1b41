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
 * The door of this module: makes the handler of each HTTP connection and knows those that are
 * alive.
 */
@AnyThread
public final class HttpEdge {
  private final HttpLimits limits;
  private final RequestChecks checks;
  private final Router router;
  private final BodyBudget bodies;
  private final BodyBudget strangerBodies;
  private final BodyBudget answers;
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
    this.bodies = new BodyBudget("http_bodies", limits.stagedBytes());
    this.strangerBodies = new BodyBudget("stranger_http_bodies", limits.strangerBytes());
    this.answers = new BodyBudget("http_answers", limits.answerBytes());
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

  /** Memory for bodies of those who have shown who they are. */
  BodyBudget bodies() {
    return bodies;
  }

  /** Memory for bodies of all others. */
  BodyBudget strangerBodies() {
    return strangerBodies;
  }

  /** Memory for answers that the system has not taken yet. */
  BodyBudget answers() {
    return answers;
  }

  /** What bodies take of memory now, and may. */
  @AnyThread
  public List<BudgetUse> budgets() {
    return List.of(strangerBodies.use(), bodies.use(), answers.use());
  }

  void joined(HttpConnection connection) {
    connections.add(connection);
  }

  void left(HttpConnection connection) {
    connections.remove(connection);
  }
}

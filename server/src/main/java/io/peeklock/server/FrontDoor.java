package io.peeklock.server;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.peeklock.amqp.AmqpEdge;
import io.peeklock.http.HostNames;
import io.peeklock.http.HttpEdge;
import io.peeklock.http.HttpLimits;
import io.peeklock.http.HttpPeer;
import io.peeklock.http.Route;
import io.peeklock.http.Router;
import io.peeklock.http.Upgrade;
import io.peeklock.server.config.ServerSettings;
import io.peeklock.transport.Arrival;
import io.peeklock.transport.EventLoops;
import io.peeklock.transport.HandlerFactory;
import io.peeklock.transport.Listener;
import io.peeklock.transport.PortInUseException;
import io.peeklock.transport.Protocol;
import io.peeklock.transport.TlsSource;
import io.peeklock.transport.WebSocketDoor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ports, and who talks to peers of which protocol behind them. */
final class FrontDoor {
  private static final Logger LOG = LoggerFactory.getLogger(FrontDoor.class);

  private final Listener listener;
  private final HttpEdge http;

  private FrontDoor(Listener listener, HttpEdge http) {
    this.listener = listener;
    this.http = http;
  }

  /**
   * Opens the ports.
   *
   * @throws IOException when one that was asked for cannot be opened
   */
  static FrontDoor open(
      EventLoops loops, ServerSettings settings, TlsSource tls, AmqpEdge amqp, List<Route> routes)
      throws IOException {
    var http =
        new HttpEdge(HttpLimits.DEFAULT, new HostNames(Tls.names(settings)), new Router(routes));
    HandlerFactory ofAmqp =
        arrival ->
            amqp.newConnectionHandler(mayUsePlain(settings, arrival), arrival.pastHandshake());
    HandlerFactory ofHttp =
        arrival ->
            http.newConnectionHandler(
                new HttpPeer(
                    arrival.remote(),
                    arrival.tls(),
                    arrival.pastHandshake(),
                    new ToWebSocket(arrival, ofAmqp)));
    var listener =
        Listener.open(
            loops,
            new Listener.Settings(
                settings.address(),
                tls,
                !settings.takesPlaintext(),
                OpenFiles.ofThisProcess().limits(settings.limits().connections())),
            Map.of(Protocol.AMQP, ofAmqp, Protocol.HTTP, ofHttp));
    openOthers(listener, settings);
    return new FrontDoor(listener, http);
  }

  private static void openOthers(Listener listener, ServerSettings settings) throws IOException {
    for (var address : settings.listening().others()) {
      try {
        listener.alsoAt(address);
      } catch (IOException taken) {
        if (settings.listening().asked()) {
          listener.stopAccepting();
          throw taken;
        }
        LOG.warn(
            "{}{}; HTTP is on port {} too",
            taken.getMessage(),
            holder(taken, address),
            listener.port());
      }
    }
  }

  private static String holder(IOException taken, InetSocketAddress address) {
    return taken instanceof PortInUseException
        ? new PortHolder(Path.of("/proc")).of(address.getPort())
        : "";
  }

  /** A password may cross a wire that nobody else can read (design.md 6). */
  private static boolean mayUsePlain(ServerSettings settings, Arrival arrival) {
    return arrival.tls() || (settings.loopback() && arrival.loopback());
  }

  Listener listener() {
    return listener;
  }

  HttpEdge http() {
    return http;
  }

  /** Joins the two rooms: HTTP has read the request, transport knows the framing. */
  private record ToWebSocket(Arrival arrival, HandlerFactory amqp) implements Upgrade {
    @Override
    public String path() {
      return WebSocketDoor.PATH;
    }

    @Override
    public FullHttpResponse answer(HttpRequest request) {
      return WebSocketDoor.answer(request);
    }

    @Override
    public void enter(ChannelPipeline pipeline) {
      WebSocketDoor.enter(pipeline, arrival.remote(), amqp.newHandler(arrival));
    }
  }
}

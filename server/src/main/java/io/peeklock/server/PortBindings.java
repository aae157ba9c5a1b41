package io.peeklock.server;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.peeklock.amqp.AmqpEdge;
import io.peeklock.amqp.connection.ConnectionEdge;
import io.peeklock.http.HostNames;
import io.peeklock.http.HttpEdge;
import io.peeklock.http.HttpPeer;
import io.peeklock.http.Origins;
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
import io.peeklock.transport.WebSocketUpgrade;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ports, and who talks to peers of which protocol behind them, for which namespace. */
final class PortBindings {
  private static final Logger LOG = LoggerFactory.getLogger(PortBindings.class);

  private final ServerSettings settings;
  private final Listener listener;
  private final List<Integer> ports;
  private final HttpEdge http;
  private final HostTable<ConnectionEdge> edges;

  /** What the ports lead to, for one namespace. */
  record Site(AmqpEdge amqp, Router http) {}

  /**
   * Opens the ports that lead to every namespace.
   *
   * @param budgets what unauthenticated clients, and bodies over HTTP, may take
   * @param standard for clients that name no other one
   * @throws IOException when one that was asked for cannot be opened
   */
  PortBindings(
      EventLoops loops,
      ServerSettings settings,
      Budgets budgets,
      TlsSource tls,
      Site standard,
      HostTable<Site> others)
      throws IOException {
    this.settings = settings;
    this.edges = others.map(Site::amqp);
    this.http =
        new HttpEdge(
            budgets.http(),
            new HostNames(Tls.names(settings)),
            standard.http(),
            new Origins(settings.listening().origins()));
    this.listener =
        Listener.open(
            loops,
            new Listener.Settings(
                settings.address(),
                tls,
                !settings.takesPlaintext(),
                OpenFiles.ofThisProcess()
                    .limits(
                        settings.limits().connections(),
                        settings.limits().connectionsPerAddress(),
                        budgets.share().unauthenticated())),
            handlers(NamespaceRouter.among(others, standard)));
    openOthers();
    this.ports = listener.ports();
  }

  private void openOthers() throws IOException {
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

  /**
   * Opens a port that leads to one namespace, whatever its clients call it.
   *
   * @return the port, what the system chose when 0 was asked for
   * @throws IOException when it cannot be opened; the others stay open
   */
  int bind(int port, Site site) throws IOException {
    var address = new InetSocketAddress(settings.listening().bind(), port);
    return listener.alsoAt(address, handlers(NamespaceRouter.only(site)));
  }

  private Map<Protocol, HandlerFactory> handlers(NamespaceRouter<Site> choice) {
    return Map.of(
        Protocol.AMQP,
        arrival -> amqp(arrival, choice.after(arrival.serverName())),
        Protocol.HTTP,
        arrival -> http(arrival, choice.after(arrival.serverName())));
  }

  private ChannelHandler amqp(Arrival arrival, NamespaceRouter<Site> choice) {
    return choice
        .start()
        .amqp()
        .newConnectionHandler(
            mayUsePlain(arrival), arrival.pastHandshake(), choice.of(edges, Site::amqp)::named);
  }

  private ChannelHandler http(Arrival arrival, NamespaceRouter<Site> choice) {
    var peer =
        new HttpPeer(
            arrival.remote(),
            arrival.tls(),
            arrival.pastHandshake(),
            new ToWebSocket(arrival, choice));
    return http.newConnectionHandler(
        peer,
        authority -> {
          var site = choice.named(authority);
          return site == null ? null : site.http();
        });
  }

  /** A password may cross a wire that nobody else can read (design.md 6). */
  private boolean mayUsePlain(Arrival arrival) {
    return arrival.tls() || (settings.loopback() && arrival.loopback());
  }

  Listener listener() {
    return listener;
  }

  /** The ports that lead to every namespace. */
  List<Integer> ports() {
    return ports;
  }

  HttpEdge http() {
    return http;
  }

  /** Joins the two rooms: HTTP has read the request, transport knows the framing. */
  private final class ToWebSocket implements Upgrade {
    private final Arrival arrival;
    private final NamespaceRouter<Site> choice;

    ToWebSocket(Arrival arrival, NamespaceRouter<Site> choice) {
      this.arrival = arrival;
      this.choice = choice;
    }

    @Override
    public String path() {
      return WebSocketUpgrade.PATH;
    }

    @Override
    public FullHttpResponse answer(HttpRequest request) {
      return WebSocketUpgrade.answer(request);
    }

    @Override
    public void enter(ChannelPipeline pipeline, String authority) {
      WebSocketUpgrade.enter(pipeline, arrival.remote(), amqp(arrival, choice.after(authority)));
    }
  }
}

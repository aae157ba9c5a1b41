package io.peeklock.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.peeklock.runtime.RateLimitedLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One or several open ports; each understands everything that there is a handler for. */
public final class Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(LOG);

  /**
   * What the system may keep for a peer beyond what is on its way. Without it a buffer of megabytes
   * is filled at once for each peer that is slow, and all others wait meanwhile.
   */
  private static final long MOST_UNSENT_BYTES = 256 << 10;

  /** Whom the system keeps until a loop looks; beyond it they try again, after a second. */
  private static final int MOST_NOT_ACCEPTED = 4_096;

  /** Above the second nothing more is given to a socket until it has taken all but the first. */
  private static final WriteBufferWaterMark WRITE_MARKS =
      new WriteBufferWaterMark(64 << 10, 256 << 10);

  /** Of buffers to read into, where {@link ConnectionTurn} does not want smaller ones. */
  private static final RecvByteBufAllocator READS =
      new AdaptiveRecvByteBufAllocator(512, 16 << 10, ConnectionTurn.MOST_BYTES);

  private final ConnectionLimiter limiter;
  private final Settings settings;
  private final Map<Protocol, HandlerFactory> handlers;
  private final EventLoops loops;
  private final List<Channel> sockets = new CopyOnWriteArrayList<>();

  /**
   * What a listener is and lets in.
   *
   * @param address where; port 0 takes any free one
   * @param tls what is shown to peers that speak TLS; null to close those
   * @param tlsOnly whether peers that do not speak TLS are closed
   * @param limits how many may be connected
   */
  public record Settings(
      InetSocketAddress address,
      @Nullable TlsSource tls,
      boolean tlsOnly,
      ConnectionLimits limits) {}

  private Listener(EventLoops loops, Settings settings, Map<Protocol, HandlerFactory> handlers) {
    this.loops = loops;
    this.limiter = new ConnectionLimiter(settings.limits());
    this.settings = settings;
    this.handlers = Map.copyOf(handlers);
  }

  /**
   * Opens a port. Blocks until it is open.
   *
   * @param handlers who talks to peers of which protocol; others are closed with a log line
   * @throws IOException when the port cannot be opened; a port in use says so as {@link
   *     PortInUseException}
   */
  public static Listener open(
      EventLoops loops, Settings settings, Map<Protocol, HandlerFactory> handlers)
      throws IOException {
    var listener = new Listener(loops, settings, handlers);
    listener.alsoAt(settings.address());
    return listener;
  }

  /**
   * Opens one more port, for the same protocols and under the same limits. Blocks until it is open.
   *
   * @throws IOException as {@link #open} does; what was open stays so
   */
  public void alsoAt(InetSocketAddress address) throws IOException {
    var unused = alsoAt(address, handlers);
  }

  /**
   * Opens one more port, under the same limits, for peers of its own. Blocks until it is open.
   *
   * @param ofPort who talks to those who come there, by protocol
   * @return the port; what the system chose when 0 was asked for
   * @throws IOException as {@link #open} does; what was open stays so
   */
  public int alsoAt(InetSocketAddress address, Map<Protocol, HandlerFactory> ofPort)
      throws IOException {
    var bound = bootstrap(config(ofPort)).bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw PortInUseException.orOther(address, bound.cause());
    }
    sockets.add(bound.channel());
    return portOf(bound.channel());
  }

  private Sniffer.Config config(Map<Protocol, HandlerFactory> ofPort) {
    return new Sniffer.Config(
        Map.copyOf(ofPort),
        settings.tls(),
        settings.tlsOnly(),
        limiter,
        loops.handshakes(),
        settings.limits().sniffMillis());
  }

  private ServerBootstrap bootstrap(Sniffer.Config config) {
    var bootstrap = commonBootstrap(config);
    return loops.isEpoll()
        ? bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, MOST_UNSENT_BYTES)
        : bootstrap;
  }

  private ServerBootstrap commonBootstrap(Sniffer.Config config) {
    return new ServerBootstrap()
        .group(loops.group())
        .channelFactory(loops.sockets())
        .handler(
            new ChannelInitializer<ServerChannel>() {
              @Override
              protected void initChannel(ServerChannel socket) {
                var newcomers = new Newcomers(loops.turnsOf(socket.eventLoop()), limiter);
                socket.config().setRecvByteBufAllocator(new BoundedAccepts(newcomers));
                socket.pipeline().addLast("newcomers", newcomers);
              }
            })
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.SO_BACKLOG, MOST_NOT_ACCEPTED)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITE_MARKS)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                welcome(channel, channel.remoteAddress(), config);
              }
            });
  }

  private void welcome(Channel channel, @Nullable InetSocketAddress remote, Sniffer.Config config) {
    if (remote == null) { // the peer is gone again
      HandshakeGate.drop(channel);
      return;
    }
    if (limiter.enter(channel, remote.getAddress())) {
      REFUSALS.info(
          "Connection from {}: another one that has not logged in is closed, for there are {}",
          remote,
          settings.limits().unauthenticated());
    }
    channel.closeFuture().addListener(closed -> limiter.leave(channel));
    LoopTurnHandler.guard(channel, loops.turnsOf(channel.eventLoop()), READS);
    channel.pipeline().addLast("unread", new UnreadAnswers());
    channel.pipeline().addLast("sniffer", new Sniffer(config, remote, false));
  }

  /** The port that was opened first; what the system chose when 0 was asked for. */
  public int port() {
    return ports().getFirst();
  }

  /** All open ports, in the order in which they were opened. */
  public List<Integer> ports() {
    return sockets.stream().map(Listener::portOf).toList();
  }

  private static int portOf(Channel socket) {
    return ((InetSocketAddress) socket.localAddress()).getPort();
  }

  /** How many connections there are, and were. */
  public ConnectionCounts connections() {
    return limiter.counts();
  }

  /** Takes no more connections; those that are open stay. Blocks shortly. */
  public void stopAccepting() {
    sockets.forEach(socket -> socket.close().awaitUninterruptibly(1, TimeUnit.SECONDS));
  }

  /** Leaves what peers send where it is. Handlers that stop and resume reading may undo it. */
  public void pauseReading() {
    setAutoRead(false);
  }

  /** Ends {@link #pauseReading}. */
  public void resumeReading() {
    setAutoRead(true);
  }

  private void setAutoRead(boolean on) {
    for (var channel : limiter.all()) {
      channel.eventLoop().execute(() -> channel.config().setAutoRead(on));
    }
  }

  /** Completes when everybody who is connected now has gone. */
  public CompletableFuture<Void> allGone() {
    var gone = new ArrayList<CompletableFuture<Void>>();
    for (var channel : limiter.all()) {
      var one = new CompletableFuture<Void>();
      channel.closeFuture().addListener(ignored -> one.complete(null));
      gone.add(one);
    }
    return CompletableFuture.allOf(gone.toArray(CompletableFuture[]::new));
  }

  /** Drops whatever is still connected. */
  public void dropAll() {
    for (var channel : limiter.all()) {
      channel.eventLoop().execute(() -> HandshakeGate.drop(channel));
    }
  }
}

package io.peeklock.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import io.peeklock.runtime.RateLimitedLog;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the first bytes of a connection, puts the handler of their protocol in its place and hands
 * all bytes on. A TLS handshake gets a TLS handler and another sniffer behind it. A peer that says
 * nothing in time, or ends without a word, is closed without a log line: port checks do that.
 */
final class Sniffer extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(Sniffer.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(LOG);

  private final Config config;
  private final InetSocketAddress remote;
  private final boolean insideTls;
  private @Nullable ScheduledFuture<?> deadline;
  private boolean awaitingTls;
  private long unreadNanos;

  /**
   * Where a sniffer leads a connection, and by what limits.
   *
   * @param tls null when no certificate is configured
   * @param tlsOnly whether everything must be inside TLS
   */
  record Config(
      Map<Protocol, HandlerFactory> handlers,
      @Nullable TlsSource tls,
      boolean tlsOnly,
      ConnectionLimiter limiter,
      Handshakes handshakes,
      long sniffMillis) {}

  Sniffer(Config config, InetSocketAddress remote, boolean insideTls) {
    this.config = config;
    this.remote = remote;
    this.insideTls = insideTls;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    unreadNanos = LoopTurnHandler.unreadNanos(context.channel());
    dueIn(context, TimeUnit.MILLISECONDS.toNanos(config.sniffMillis()));
  }

  private void dueIn(ChannelHandlerContext context, long nanos) {
    deadline = context.executor().schedule(() -> due(context), nanos, TimeUnit.NANOSECONDS);
  }

  /** The time is up, but for that in which the peer could say what it wanted and was not read. */
  private void due(ChannelHandlerContext context) {
    var before = unreadNanos;
    unreadNanos = LoopTurnHandler.unreadNanos(context.channel());
    if (unreadNanos > before) {
      dueIn(context, unreadNanos - before);
    } else {
      Disconnect.atOnce(context.channel());
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out) {
    if (awaitingTls || !bytes.isReadable() || !context.channel().isOpen()) {
      return;
    }
    var protocol = Protocol.of(bytes);
    if (protocol == null) {
      return;
    }
    if (protocol == Protocol.TLS && !insideTls && config.tls() != null) {
      startTls(context, config.tls().identity());
      return;
    }
    var factory = factory(protocol);
    if (factory == null) {
      refuse(context, bytes, protocol);
      return;
    }
    var channel = context.channel();
    if (protocol == Protocol.AMQP) {
      UnreadAnswers.leaveTo(channel);
    }
    var arrival = new Arrival(remote, insideTls, serverName(channel), () -> recognise(channel));
    context.pipeline().addAfter(context.name(), null, factory.newHandler(arrival));
    context.pipeline().remove(this);
  }

  /** Who makes what speaks a protocol; null when it is not spoken here, or not in clear. */
  private @Nullable HandlerFactory factory(Protocol protocol) {
    var inClear = config.tlsOnly() && !insideTls;
    return inClear || protocol == Protocol.TLS ? null : config.handlers().get(protocol);
  }

  /** Who says nothing but what TLS answers, and does not read the answers, wants nothing of us. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    if (UnreadAnswers.areMany(context.channel())) {
      Disconnect.atOnce(context.channel());
    }
    super.channelReadComplete(context);
  }

  private void recognise(Channel channel) {
    var refusal = config.limiter().recognise(channel);
    if (refusal != null) {
      REFUSALS.warn("Connection from {} closed: {}", remote, refusal);
      HandshakeGate.drop(channel);
    } else {
      LoopTurnHandler.recognise(channel);
    }
  }

  private static @Nullable String serverName(Channel channel) {
    var tls = channel.pipeline().get(SslHandler.class);
    if (tls != null && tls.engine().getSession() instanceof ExtendedSSLSession session) {
      for (var name : session.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          return host.getAsciiName();
        }
      }
    }
    return null;
  }

  /** A certificate may have to be made first; until then the peer is not read any further. */
  private void startTls(ChannelHandlerContext context, CompletableFuture<TlsIdentity> identity) {
    if (identity.isDone() && !identity.isCompletedExceptionally()) {
      startTls(context, identity.join());
      return;
    }
    awaitingTls = true;
    context.channel().config().setAutoRead(false);
    var unused =
        identity.whenCompleteAsync((made, failed) -> resume(context, made), context.executor());
  }

  private void resume(ChannelHandlerContext context, @Nullable TlsIdentity made) {
    if (context.isRemoved()) {
      return; // it went away meanwhile
    }
    if (made == null) {
      REFUSALS.warn("Connection from {} closed: there is no certificate for it", remote);
      HandshakeGate.drop(context.channel());
      return;
    }
    context.channel().config().setAutoRead(true);
    startTls(context, made);
  }

  private void startTls(ChannelHandlerContext context, TlsIdentity identity) {
    awaitingTls = true;
    var channel = context.channel();
    var rank = config.limiter().asksForHandshake(channel);
    config.handshakes().begin(channel, identity, rank, begun -> goOnInTls(context, begun));
  }

  private void goOnInTls(ChannelHandlerContext context, SslHandler handshake) {
    if (context.isRemoved()) {
      return; // it went away meanwhile
    }
    config.limiter().handshakeIsComputed(context.channel());
    var pipeline = context.pipeline();
    pipeline.addAfter(context.name(), "tls", handshake);
    pipeline.addBefore("tls", "gate", new HandshakeGate());
    pipeline.addAfter("tls", "sniffer-inside-tls", new Sniffer(config, remote, true));
    pipeline.remove(this);
  }

  private void refuse(ChannelHandlerContext context, ByteBuf bytes, Protocol protocol) {
    REFUSALS.warn("Connection from {} closed: {}", remote, reason(protocol));
    bytes.skipBytes(bytes.readableBytes());
    HandshakeGate.drop(context.channel());
  }

  private String reason(Protocol protocol) {
    if (config.tlsOnly() && !insideTls && protocol != Protocol.UNKNOWN) {
      return "it does not use TLS, which is asked for here";
    }
    return switch (protocol) {
      case TLS -> insideTls ? "TLS inside TLS" : "it speaks TLS, and no certificate is configured";
      case HTTP -> "it speaks HTTP, which is not served";
      case AMQP -> "it speaks AMQP, which is not served";
      case UNKNOWN -> "its first bytes are neither AMQP, TLS nor HTTP";
    };
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // A failed TLS handshake ends here; the cause's text names no secret.
    var reason = cause;
    while (reason.getCause() != null) {
      reason = reason.getCause();
    }
    if (insideTls) {
      REFUSALS.warn(
          "Connection from {} closed: its TLS failed: {}",
          remote,
          String.valueOf(reason.getMessage()));
    } else {
      LOG.debug("Connection from {} closed before it said anything", remote, reason);
    }
    HandshakeGate.drop(context.channel());
  }
}

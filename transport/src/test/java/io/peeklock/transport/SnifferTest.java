package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a connection by its first bytes. */
class SnifferTest {
  private static final byte[] AMQP_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
  private static final byte[] TLS_HELLO = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01};
  private static final InetSocketAddress SOMEONE = new InetSocketAddress("203.0.113.7", 40_000);

  private final StringBuilder heard = new StringBuilder();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final Map<Protocol, HandlerFactory> handlers = new EnumMap<>(Protocol.class);
  private boolean tlsOnly;
  private @Nullable TlsSource tls;
  private final ConnectionLimiter limiter = new ConnectionLimiter(ConnectionLimits.DEFAULT);
  private final Handshakes handshakes = new Handshakes(1);

  @Test
  void anAmqpHeaderGoesWholeToTheAmqpHandler() {
    var channel = channelWith(Protocol.AMQP);

    channel.writeInbound(Unpooled.wrappedBuffer(AMQP_HEADER));

    assertThat(heard).hasToString("AMQP\3\1\0\0");
    assertThat(arrivals).singleElement().matches(arrival -> !arrival.tls() && !arrival.loopback());
    assertThat(channel.pipeline().get(Sniffer.class)).isNull();
  }

  @Test
  void aHeaderThatComesByteByByteIsPutTogether() {
    var channel = channelWith(Protocol.AMQP);

    for (var b : AMQP_HEADER) {
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {b}));
    }

    assertThat(heard).hasToString("AMQP\3\1\0\0");
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void aWrongAmqpVersionIsForTheAmqpHandlerToAnswer() {
    var channel = channelWith(Protocol.AMQP);

    channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {'A', 'M', 'Q', 'P', 0, 0, 9, 1}));

    assertThat(heard).hasToString("AMQP\0\0\t\1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n", "POST /q/messages HTTP/1.1\r\n", "CONNECT x:1 "})
  void httpIsClosedWhileNobodyServesIt(String request) {
    var channel = channelWith(Protocol.AMQP);

    channel.writeInbound(text(request));

    assertThat(channel.isOpen()).isFalse();
    assertThat(heard).isEmpty();
  }

  @Test
  void httpGoesToItsHandlerWhereThereIsOne() {
    var channel = channelWith(Protocol.HTTP);

    channel.writeInbound(text("GET /health HTTP/1.1\r\n"));

    assertThat(heard).hasToString("GET /health HTTP/1.1\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\0", "SSH-2.0-x", "AMXX", "\26\4", "get / ", "GEX "})
  void garbageIsClosedAtTheFirstWrongByte(String garbage) {
    var channel = channelWith(Protocol.AMQP);

    channel.writeInbound(text(garbage));

    assertThat(channel.isOpen()).isFalse();
    assertThat(heard).isEmpty();
  }

  @Test
  void tlsIsClosedWithoutACertificate() {
    var channel = channelWith(Protocol.AMQP);

    channel.writeInbound(Unpooled.wrappedBuffer(TLS_HELLO));

    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void whatIsNotInsideTlsIsClosedWhereTlsIsAskedFor() {
    tlsOnly = true;
    var channel = channelWith(Protocol.AMQP);

    channel.writeInbound(Unpooled.wrappedBuffer(AMQP_HEADER));

    assertThat(channel.isOpen()).isFalse();
    assertThat(heard).isEmpty();
  }

  @Test
  void timeInLineDoesNotCountUntilTheDeadline() {
    var channel = channelWith(Protocol.AMQP);
    var rounds = new ArrayDeque<Runnable>();
    LoopTurnHandler.guard(
        channel,
        new LoopTurns(channel.eventLoop().ticker()::nanoTime, rounds::add),
        new AdaptiveRecvByteBufAllocator());
    channel.pipeline().addAfter("turn", "costs", new Costs(2));

    channel.writeInbound(text("AM")); // stands in line from now on
    pass(channel, 9_000);
    rounds.remove().run(); // it is let go
    pass(channel, 998);
    var atDeadline = channel.isOpen();
    pass(channel, 8_999);
    var before = channel.isOpen();
    pass(channel, 1);

    assertThat(atDeadline).isTrue();
    assertThat(before).isTrue();
    assertThat(channel.isOpen()).isFalse();
  }

  /** TLS answers records that say nothing; who sends only these wants nothing of us. */
  @Test
  void whoLeavesMuchUnreadBeforeItsFirstWordIsClosed() {
    var channel = channelWith(Protocol.AMQP);
    var output = Objects.requireNonNull(channel.unsafe().outboundBuffer());

    output.addMessage(Unpooled.buffer(), 60_000, channel.newPromise());
    channel.pipeline().fireChannelReadComplete();
    assertThat(channel.isOpen()).isTrue();

    output.addMessage(Unpooled.buffer(), 60_000, channel.newPromise());
    channel.pipeline().fireChannelReadComplete();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void silenceIsEndedAtTheDeadline() {
    var channel = channelWith(Protocol.AMQP);

    channel.advanceTimeBy(9_999, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    var before = channel.isOpen();
    channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();

    assertThat(before).isTrue();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aPeerThatSpokeInTimeHasNoDeadlineAnyMore() {
    var channel = channelWith(Protocol.AMQP);
    channel.writeInbound(Unpooled.wrappedBuffer(AMQP_HEADER));

    channel.advanceTimeBy(1, TimeUnit.HOURS);
    channel.runScheduledPendingTasks();

    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void aLoopbackPeerIsKnownByItsOwnAddress() {
    var channel =
        channel(Protocol.AMQP, new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000));

    channel.writeInbound(Unpooled.wrappedBuffer(AMQP_HEADER));

    assertThat(arrivals).singleElement().matches(Arrival::loopback);
  }

  @Test
  void aPeerWaitsUnreadUntilItsCertificateIsMade() {
    var making = new CompletableFuture<TlsIdentity>();
    tls = () -> making;
    var channel = channelWith(Protocol.AMQP);

    channel.writeInbound(Unpooled.wrappedBuffer(TLS_HELLO));
    var waits = !channel.config().isAutoRead() && channel.isOpen();
    making.completeExceptionally(new IOException("on purpose"));
    channel.runPendingTasks();

    assertThat(waits).isTrue();
    assertThat(channel.isOpen()).isFalse();
  }

  private EmbeddedChannel channelWith(Protocol protocol) {
    return channel(protocol, SOMEONE);
  }

  private EmbeddedChannel channel(Protocol protocol, InetSocketAddress remote) {
    handlers.put(
        protocol,
        arrival -> {
          arrivals.add(arrival);
          return new Hearer();
        });
    var config = new Sniffer.Config(handlers, tls, tlsOnly, limiter, handshakes, 10_000);
    var channel = new EmbeddedChannel();
    channel.freezeTime(); // before the deadline is set, or a slow machine moves it
    channel.pipeline().addLast(new Sniffer(config, remote, false));
    return channel;
  }

  private static void pass(EmbeddedChannel channel, long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  private static ByteBuf text(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
  }

  /** What it reads takes so many milliseconds. */
  private static final class Costs extends ChannelInboundHandlerAdapter {
    private final long millis;

    Costs(long millis) {
      this.millis = millis;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ((EmbeddedChannel) context.channel()).advanceTimeBy(millis, TimeUnit.MILLISECONDS);
      context.fireChannelRead(message);
    }
  }

  /** Writes down what it hears. */
  private final class Hearer extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      var bytes = (ByteBuf) message;
      heard.append(bytes.toString(StandardCharsets.ISO_8859_1));
      bytes.release();
    }
  }
}

package io.peeklock.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection with a clock of its own. Its routes: {@code /echo} takes bodies of up to 1,000
 * bytes of text, {@code /later} keeps its calls, {@code /broken} throws, {@code /lacking} lacks
 * memory, {@code /big} holds 1 MiB, {@code /known} knows who asks, {@code /large} holds as much as
 * the first and gives more to a {@link Taker}.
 */
final class HttpFixture implements Upgrade {
  static final String UPGRADE = "/up";
  static final int LIMIT = 1_000;

  final List<HttpCall> calls = new ArrayList<>();
  final StringBuilder afterUpgrade = new StringBuilder();
  final EmbeddedChannel channel;
  final HttpEdge edge;
  private final HttpPeer peer;
  final List<Taker> takers = new ArrayList<>();
  long mostLarge = 10_000;
  boolean openFails;
  int recognised;

  HttpFixture(String remote, HttpLimits limits) {
    this(remote, limits, Origins.NONE);
  }

  HttpFixture(String remote, boolean tls) {
    this(remote, tls, HttpLimits.DEFAULT, Origins.NONE);
  }

  HttpFixture(String remote, HttpLimits limits, Origins origins) {
    this(remote, false, limits, origins);
  }

  private HttpFixture(String remote, boolean tls, HttpLimits limits, Origins origins) {
    var echo =
        new Route(
                head -> head.path().equals("/echo"),
                List.of("GET", "POST"),
                LIMIT,
                List.of("text/plain"),
                call ->
                    call.answer(
                        HttpAnswer.text(
                            200, "text/plain", call.body().toString(StandardCharsets.UTF_8))))
            .trusting(HttpFixture::hasToken);
    var big =
        new Route(
                head -> head.path().equals("/big"),
                List.of("POST"),
                1 << 20,
                List.of(),
                call -> call.answer(HttpAnswer.empty(200)))
            .trusting(HttpFixture::hasToken);
    var known =
        Route.reading(
            head -> head.path().equals("/known"),
            call -> {
              call.recognised();
              call.answer(HttpAnswer.empty(200));
            });
    var later = Route.reading(head -> head.path().equals("/later"), calls::add);
    var broken =
        Route.reading(
            head -> head.path().equals("/broken"),
            call -> {
              throw new IllegalStateException("on purpose");
            });
    var lacking =
        Route.reading(
            head -> head.path().equals("/lacking"),
            call -> {
              throw new OutOfMemoryError("on purpose");
            });
    var large =
        new Route(
                head -> head.path().equals("/large"),
                List.of("POST"),
                LIMIT,
                List.of(),
                call ->
                    call.answer(
                        HttpAnswer.text(
                            200, "text/plain", call.body().toString(StandardCharsets.UTF_8))))
            .withLarge(this::open);
    edge =
        new HttpEdge(
            limits,
            new HostNames(List.of("broker.test")),
            new Router(List.of(echo, later, broken, lacking, large, big, known)),
            origins);
    peer = new HttpPeer(new InetSocketAddress(remote, 40_000), tls, () -> recognised++, this);
    channel = new EmbeddedChannel();
    channel.freezeTime();
    channel.pipeline().addLast(edge.newConnectionHandler(peer));
  }

  private static boolean hasToken(HttpCall call) {
    return "good".equals(call.head().header("Authorization"));
  }

  private @Nullable BodySink open(HttpCall call, long length) {
    if (openFails) {
      throw new IllegalStateException("on purpose");
    }
    if (length > mostLarge) {
      call.answer(HttpAnswer.error(403, "too large"));
      return null;
    }
    var taker = new Taker(this, call, length);
    takers.add(taker);
    return taker;
  }

  /**
   * Writes down what it is told of a large body; refuses it in the middle when it gets too large.
   */
  static final class Taker implements BodySink {
    private final HttpFixture fixture;
    final HttpCall call;
    final long length;
    final StringBuilder taken = new StringBuilder();
    boolean full;
    int ended;
    int dropped;

    Taker(HttpFixture fixture, HttpCall call, long length) {
      this.fixture = fixture;
      this.call = call;
      this.length = length;
    }

    @Override
    public void take(ByteBuf part) {
      taken.append(part.toString(StandardCharsets.US_ASCII));
      if (taken.length() > fixture.mostLarge) {
        call.answer(HttpAnswer.error(403, "too large"));
      }
    }

    @Override
    public boolean hasRoom() {
      return !full;
    }

    @Override
    public void end() {
      ended++;
    }

    @Override
    public void drop() {
      dropped++;
    }
  }

  static HttpFixture onLoopback() {
    return new HttpFixture("127.0.0.1", HttpLimits.DEFAULT);
  }

  /** What comes back for these bytes; lines may be parted by \n alone in the test. */
  String send(String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    return answered();
  }

  /** The same on another connection, which is closed then. */
  String aside(String bytes) {
    var other = new EmbeddedChannel();
    other.pipeline().addLast(edge.newConnectionHandler(peer));
    other.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    var answer = answered(other);
    var unused = other.close();
    return answer;
  }

  /** From now on the peer is authenticated. */
  void recognise() {
    send(get("/known"));
  }

  /** What has come back since the last look. */
  String answered() {
    return answered(channel);
  }

  /** Another connection, with the same clock as long as both are told the time. */
  EmbeddedChannel connect() {
    var other = new EmbeddedChannel();
    other.freezeTime();
    other.pipeline().addLast(edge.newConnectionHandler(peer));
    return other;
  }

  static String answered(EmbeddedChannel channel) {
    channel.runPendingTasks();
    var text = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.toString(StandardCharsets.UTF_8));
      part.release();
    }
    return text.toString();
  }

  /** The same after some time. */
  String after(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    return answered();
  }

  static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  /** A body of so many bytes to where large ones are held. */
  static String big(String headers, int bytes) {
    return "POST /big HTTP/1.1\r\nHost: localhost\r\n"
        + headers
        + "Content-Length: "
        + bytes
        + "\r\n\r\n"
        + "x".repeat(bytes);
  }

  static String post(String headers, String body) {
    return "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
        + headers
        + "\r\n\r\n"
        + body;
  }

  @Override
  public String path() {
    return UPGRADE;
  }

  @Override
  public FullHttpResponse answer(HttpRequest request) {
    var status =
        request.headers().contains("Upgrade")
            ? HttpResponseStatus.SWITCHING_PROTOCOLS
            : HttpResponseStatus.UPGRADE_REQUIRED;
    return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
  }

  @Override
  public void enter(ChannelPipeline pipeline, String authority) {
    pipeline.addLast(
        new ChannelInboundHandlerAdapter() {
          @Override
          public void channelRead(ChannelHandlerContext context, Object message) {
            var bytes = (ByteBuf) message;
            afterUpgrade.append(bytes.toString(StandardCharsets.ISO_8859_1));
            bytes.release();
          }
        });
  }
}

package io.peeklock.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.peeklock.http.HostNames;
import io.peeklock.http.HttpAnswer;
import io.peeklock.http.HttpEdge;
import io.peeklock.http.HttpLimits;
import io.peeklock.http.HttpPeer;
import io.peeklock.http.Route;
import io.peeklock.http.Router;
import io.peeklock.http.Upgrade;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Secret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The metrics of very many entities, for readers of every kind. */
class MetricsPageTest {
  private static final int PIECES = 40;

  private long nowNanos = Long.MAX_VALUE - 10; // time may wrap
  private int renderings;
  private CompletableFuture<List<byte[]>> page = CompletableFuture.completedFuture(pieces());
  private final List<EmbeddedChannel> opened = new ArrayList<>();
  private final HttpEdge edge =
      new HttpEdge(
          HttpLimits.DEFAULT,
          new HostNames(List.of()),
          new Router(
              List.of(
                  Route.reading(
                      head -> head.path().equals("/health"),
                      call -> call.answer(HttpAnswer.empty(200))),
                  MetricsPage.route(
                      () -> {
                        renderings++;
                        return page;
                      },
                      new AccessControl(List.of(Policy.root(Secret.of("key")))),
                      () -> nowNanos))));

  private static List<byte[]> pieces() {
    var out = new Pieces();
    var line = ("x".repeat(1_023) + "\n").getBytes(StandardCharsets.US_ASCII);
    for (var i = 0; i < PIECES * (Pieces.BYTES / line.length); i++) {
      out.write(line, 0, line.length);
    }
    return out.all();
  }

  @AfterEach
  void close() {
    opened.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  /** A reader whose socket takes nothing while it is shut. */
  private final class Reader extends EmbeddedChannel {
    private boolean shut = true;

    Reader(String path) {
      opened.add(this);
      freezeTime();
      var remote = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
      pipeline()
          .addLast(edge.newConnectionHandler(new HttpPeer(remote, false, () -> {}, new Never())));
      var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
      writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
      runPendingTasks();
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer waiting) throws Exception {
      if (!shut) {
        super.doWrite(waiting);
      }
    }

    long waiting() {
      var buffer = unsafe().outboundBuffer();
      return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    String reads() {
      shut = false;
      flush();
      runPendingTasks();
      var text = new StringBuilder();
      for (ByteBuf part = readOutbound(); part != null; part = readOutbound()) {
        text.append(part.toString(StandardCharsets.US_ASCII));
        part.release();
      }
      return text.toString();
    }
  }

  /** Nobody asks for it. */
  private static final class Never implements Upgrade {
    @Override
    public String path() {
      return "/up";
    }

    @Override
    public FullHttpResponse answer(HttpRequest request) {
      throw new IllegalStateException("nobody asks for an upgrade");
    }

    @Override
    public void enter(ChannelPipeline pipeline, String authority) {}
  }

  private void pass(long seconds) {
    nowNanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void readersThatDoNotReadHoldOnePieceEachAndNoMoreThanTwoAreLet() {
    var readers = new ArrayList<Reader>();
    for (var i = 0; i < 50; i++) {
      readers.add(new Reader("/metrics"));
    }

    assertThat(renderings).as("for those who are let").isEqualTo(2);
    assertThat(readers.stream().mapToLong(Reader::waiting).sum())
        .isLessThan(2 * Pieces.BYTES + 50 * 1_000);
    assertThat(readers.get(2).reads()).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1\r\n");
    assertThat(new Reader("/health").reads()).startsWith("HTTP/1.1 200 ");
    assertThat(readers.get(0).reads().replaceAll("\r\n[0-9a-f]+\r\n", ""))
        .startsWith("HTTP/1.1 200 ")
        .hasSizeGreaterThan(PIECES * Pieces.BYTES);
    assertThat(new Reader("/metrics").reads()).as("one has ended").startsWith("HTTP/1.1 200 ");
  }

  @Test
  void whoIsSlowGivesWayToWhoComes() {
    var slow = new Reader("/metrics");
    pass(9);
    var other = new Reader("/metrics");
    assertThat(new Reader("/metrics").reads()).startsWith("HTTP/1.1 503 ");
    assertThat(slow.isOpen()).isTrue();

    pass(1);

    assertThat(new Reader("/metrics").reads()).startsWith("HTTP/1.1 200 ");
    assertThat(slow.isOpen()).isFalse();
    assertThat(other.isOpen()).isTrue();
    assertThat(renderings).isEqualTo(3);
  }

  @Test
  void nobodyReadsForLongerThanAMinute() {
    var slow = new Reader("/metrics");
    pass(61);

    assertThat(slow.reads().length()).isBetween(Pieces.BYTES, Pieces.BYTES + 1_000);
    assertThat(slow.isOpen()).isFalse();
  }

  @Test
  void whoGoesAwayBeforeThePageIsThereLeavesItsPlaceToOthers() {
    page = new CompletableFuture<>();
    var gone = List.of(new Reader("/metrics"), new Reader("/metrics"));
    assertThat(new Reader("/metrics").reads()).startsWith("HTTP/1.1 503 ");
    gone.forEach(each -> each.close().syncUninterruptibly());

    page.complete(List.of("all".getBytes(StandardCharsets.US_ASCII)));
    gone.forEach(EmbeddedChannel::runPendingTasks);

    assertThat(new Reader("/metrics").reads()).endsWith("\r\n\r\nall");
    assertThat(renderings).as("one for both who looked meanwhile, and a new one").isEqualTo(2);
  }

  @Test
  void aPageThatFailsIsSaidAndThePlaceIsFree() {
    page = CompletableFuture.failedFuture(new IllegalStateException("on purpose"));
    for (var i = 0; i < 3; i++) {
      assertThat(new Reader("/metrics").reads())
          .startsWith("HTTP/1.1 503 ")
          .contains("in time")
          .doesNotContain("on purpose");
    }
  }
}

package io.peeklock.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes after the last request of a connection is not read before its answer has left. */
class LastAnswerTest {
  private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String LAST =
      "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  private static final String REFUSED = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String LATER = "GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String KNOWN = "GET /known HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final List<HttpCall> calls = new ArrayList<>();
  private final List<Socket> opened = new ArrayList<>();
  private int asked;
  private final HttpEdge edge =
      new HttpEdge(
          HttpLimits.DEFAULT,
          new HostNames(List.of()),
          new Router(
              List.of(
                  Route.reading(head -> head.path().equals("/later"), calls::add),
                  Route.reading(
                      head -> head.path().equals("/known"),
                      call -> {
                        call.recognised();
                        call.answer(HttpAnswer.empty(200));
                      }),
                  Route.reading(
                      head -> head.path().equals("/health"),
                      call -> {
                        asked++;
                        call.answer(HttpAnswer.text(200, "text/plain", "fine"));
                      }))));

  @AfterEach
  void close() {
    opened.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  @ParameterizedTest
  @ValueSource(strings = {LAST, REFUSED, HEALTH + HEALTH})
  void nothingIsReadUntilTheLastAnswerHasLeft(String requests) {
    var socket = new Socket();

    socket.sends(requests);
    assertThat(socket.config().isAutoRead()).isFalse();

    assertThat(socket.reads()).containsOnlyOnce("HTTP/1.1 ");
    assertThat(socket.config().isAutoRead()).isTrue();
    assertThat(socket.saidGoodbye).isTrue();
    assertThat(socket.isOpen()).as("it may still be sending").isTrue();
  }

  @Test
  void ofPipelinedRequestsTheFirstIsAnsweredAndNoOtherDecoded() {
    var socket = new Socket();

    socket.sends(HEALTH.repeat(1_000));
    socket.sends("this is no HTTP\r\n\r\n");

    assertThat(asked).isEqualTo(1);
    assertThat(socket.reads()).startsWith("HTTP/1.1 200 ").containsOnlyOnce("HTTP/1.1 ");
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void oneWhoWaitsForItsAnswerWithoutAskingOnIsHeard() {
    var socket = new Socket();

    socket.sends(LATER);

    assertThat(socket.config().isAutoRead()).as("or nobody would notice its end").isTrue();
    calls.getFirst().answer(HttpAnswer.empty(204));
    assertThat(socket.reads()).startsWith("HTTP/1.1 204 ");
    assertThat(socket.config().isAutoRead()).isTrue();
  }

  @Test
  void oneWhoNeverReadsItsLastAnswerIsClosedAfterAMinute() {
    var socket = new Socket();
    socket.sends(LAST);

    socket.passes(59_000);
    assertThat(socket.isOpen()).isTrue();
    socket.passes(2_000);

    assertThat(socket.isOpen()).isFalse();
  }

  @Test
  void oneWhoSendsOnBehindItsLastAnswerIsClosedAtOnceWhenThatIsTooMuch() {
    var socket = new Socket();
    socket.sends(LAST);
    socket.reads();

    var sent = socket.sendsAsMuchAsItCan(2 * Linger.UNAUTHENTICATED_BYTES);

    assertThat(sent)
        .isBetween(Linger.UNAUTHENTICATED_BYTES - (64 << 10), Linger.UNAUTHENTICATED_BYTES + 1);
  }

  @Test
  void oneWhoHasShownWhoItIsMaySendTheRestOfALargeBody() {
    var socket = new Socket();
    socket.sends(KNOWN);
    socket.reads();
    socket.sends(LAST);
    socket.reads();

    var sent = socket.sendsAsMuchAsItCan(2 * Linger.MOST_BYTES);

    assertThat(sent).isBetween(Linger.MOST_BYTES - (64 << 10), Linger.MOST_BYTES + 1);
  }

  @Test
  void silenceBehindTheLastAnswerEndsTheConnectionAndSoDoesHalfAMinute() {
    var silent = new Socket();
    silent.sends(LAST);
    silent.reads();
    var slow = new Socket();
    slow.sends(LAST);
    slow.reads();

    silent.passes(1_001);
    assertThat(silent.isOpen()).isFalse();
    for (var i = 0; i < 36; i++) {
      slow.sends("x");
      slow.passes(800);
    }
    assertThat(slow.isOpen()).isTrue();
    slow.sends("x");
    slow.passes(800);
    slow.sends("x"); // after 29.6 seconds
    slow.passes(800);
    slow.sends("x"); // too late to be waited for anew
    slow.passes(800);

    assertThat(slow.isOpen()).isFalse();
  }

  /** A connection whose socket takes nothing while it is shut. */
  private final class Socket extends EmbeddedChannel implements DuplexChannel {
    private boolean shut = true;
    private boolean saidGoodbye;

    Socket() {
      opened.add(this);
      freezeTime();
      var remote = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
      var nowhere = HttpFixture.onLoopback();
      pipeline().addLast(edge.newConnectionHandler(new HttpPeer(remote, false, () -> {}, nowhere)));
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer waiting) throws Exception {
      if (!shut) {
        super.doWrite(waiting);
      }
    }

    void sends(String text) {
      writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
      runPendingTasks();
    }

    long sendsAsMuchAsItCan(long most) {
      var sent = 0L;
      while (isOpen() && sent < most) {
        writeInbound(Unpooled.wrappedBuffer(new byte[64 << 10]));
        sent += 64 << 10;
      }
      return isOpen() ? sent : sent - (64 << 10);
    }

    String reads() {
      shut = false;
      flush();
      runPendingTasks();
      shut = true;
      var text = new StringBuilder();
      for (ByteBuf part = readOutbound(); part != null; part = readOutbound()) {
        text.append(part.toString(StandardCharsets.US_ASCII));
        part.release();
      }
      return text.toString();
    }

    void passes(long millis) {
      advanceTimeBy(millis, TimeUnit.MILLISECONDS);
      runScheduledPendingTasks();
    }

    @Override
    public boolean isInputShutdown() {
      return false;
    }

    @Override
    public ChannelFuture shutdownInput() {
      return newSucceededFuture();
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
      return promise.setSuccess();
    }

    @Override
    public boolean isOutputShutdown() {
      return saidGoodbye;
    }

    @Override
    public ChannelFuture shutdownOutput() {
      saidGoodbye = true;
      return newSucceededFuture();
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
      saidGoodbye = true;
      return promise.setSuccess();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public ChannelFuture shutdown() {
      return close();
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
      return close(promise);
    }
  }
}

package io.peeklock.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.peeklock.runtime.message.BodyRest;
import io.peeklock.runtime.meter.BudgetUse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who asks and does not read holds no more than a budget, with all the others who do so. */
class UnreadAnswersTest {
  private static final int PAGE = 40_000;
  private static final long BUDGET = 100_000;

  private final List<Pages> streams = new ArrayList<>();
  private final List<HttpCall> calls = new ArrayList<>();
  private int taken;
  private int unsaid;
  private final List<EmbeddedChannel> opened = new ArrayList<>();
  private final HttpEdge edge =
      new HttpEdge(
          HttpLimits.DEFAULT.withBodyBytes(1_000, 500, BUDGET),
          new HostNames(List.of()),
          new Router(
              List.of(
                  new Route(
                      head -> head.path().equals("/page"),
                      List.of("GET", "POST"),
                      0,
                      List.of(),
                      call -> call.answer(page())),
                  Route.reading(head -> head.path().equals("/pages"), this::stream),
                  Route.reading(
                      head -> head.path().equals("/message"),
                      call -> call.answer(page(), () -> taken++)),
                  Route.reading(head -> head.path().equals("/later"), calls::add),
                  Route.reading(
                      head -> head.path().equals("/health"),
                      call -> call.answer(HttpAnswer.text(200, "text/plain", "fine"))))));

  private static HttpAnswer page() {
    return HttpAnswer.text(200, "text/plain", "x".repeat(PAGE));
  }

  private void stream(HttpCall call) {
    var pages = new Pages();
    streams.add(pages);
    call.answer(HttpAnswer.text(200, "text/plain", "first").withRest(pages));
  }

  /** Two pieces behind the first. */
  private static final class Pages implements BodyRest {
    int asked;
    boolean closed;

    @Override
    public int mostBytes() {
      return PAGE;
    }

    @Override
    public void next(Listener listener) {
      asked++;
      listener.piece("y".repeat(PAGE).getBytes(StandardCharsets.US_ASCII), asked == 2);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @AfterEach
  void close() {
    opened.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  /** A connection whose socket takes nothing while it is shut. */
  private final class Socket extends EmbeddedChannel {
    private boolean shut = true;

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

    Socket asks(String method, String path) {
      var request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
      writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
      runPendingTasks();
      return this;
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

    void passes(long millis) {
      advanceTimeBy(millis, TimeUnit.MILLISECONDS);
      runScheduledPendingTasks();
    }
  }

  private BudgetUse use() {
    return edge.budgets().stream()
        .filter(each -> each.name().equals("http_answers"))
        .findFirst()
        .orElseThrow();
  }

  private Socket get(String path) {
    return new Socket().asks("GET", path);
  }

  @Test
  void answersThatNobodyReadsHoldNoMoreThanTheirBudget() {
    var first = get("/page");
    var others = new ArrayList<Socket>();
    for (var i = 0; i < 50; i++) {
      others.add(get("/page"));
    }

    assertThat(use().taken()).isEqualTo(2 * PAGE);
    assertThat(use().refused()).isEqualTo(49);
    assertThat(others.getFirst().reads()).startsWith("HTTP/1.1 200 ");
    assertThat(others.getLast().reads())
        .startsWith("HTTP/1.1 503 ")
        .contains("Retry-After: 1\r\n")
        .contains("try again");
    assertThat(get("/health").reads()).startsWith("HTTP/1.1 200 ");
    assertThat(first.reads()).endsWith("x".repeat(PAGE));
    assertThat(use().taken()).isZero();
    assertThat(get("/page").reads()).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void oneWhoTakesNothingForAMinuteIsClosed() {
    var shut = get("/page");
    var streamed = get("/pages");
    assertThat(use().taken()).isEqualTo(2 * PAGE);

    shut.passes(61_000);
    streamed.passes(61_000);

    assertThat(shut.isOpen()).isFalse();
    assertThat(streamed.isOpen()).isFalse();
    assertThat(streams.getFirst().closed).isTrue();
    assertThat(use().taken()).isZero();
  }

  /** Else many who take a piece now and then would hold more than there is. */
  @Test
  void aBodyThatGoesOnKeepsItsRoomToItsEnd() {
    var streamed = get("/pages");
    var second = get("/pages");

    assertThat(get("/pages").reads()).startsWith("HTTP/1.1 503 ");
    assertThat(streams.getLast().closed).isTrue();
    assertThat(streams.getFirst().asked).isZero();
    assertThat(use().taken()).isEqualTo(2 * PAGE);

    assertThat(streamed.reads()).contains("first", "y".repeat(PAGE)).endsWith("0\r\n\r\n");
    assertThat(use().taken()).isEqualTo(PAGE);
    var unused = second.close();
    assertThat(use().taken()).isZero();
  }

  @Test
  void whatAChangeIsAnsweredWithGoesThoughThereIsNoRoom() {
    var shut = List.of(get("/page"), get("/page"));
    var early = get("/later");
    assertThat(calls.getFirst().mayAnswer()).isTrue();

    var change = new Socket().asks("POST", "/page");

    assertThat(use().taken()).isEqualTo(3 * PAGE);
    assertThat(calls.getFirst().mayAnswer()).as("so the next change is refused").isFalse();
    assertThat(change.reads()).startsWith("HTTP/1.1 200 ");
    assertThat(shut).hasSize(2);
    assertThat(calls.getFirst().mayAnswer()).isTrue();
    var unused = early.close();
  }

  @Test
  void headTakesNoRoomAndNoBody() {
    var streamed = new Socket().asks("HEAD", "/pages");

    assertThat(use().taken()).isZero();
    assertThat(streams.getFirst().closed).isTrue();
    assertThat(streamed.reads()).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
    assertThat(streamed.asks("GET", "/health").reads()).startsWith("HTTP/1.1 200 ");
  }

  /** Nobody else would ever give back what such an answer holds. */
  @Test
  void anAnswerThatCannotBeWrittenCostsItsCallOnly() {
    var unwritable = new HttpAnswer(-1, List.of(), new byte[PAGE]);
    var pages = new Pages();
    var shut = get("/later");
    var streamed = get("/later");
    var counted = get("/later");

    calls.get(0).answer(unwritable, () -> taken++, () -> unsaid++);
    calls.get(1).answer(unwritable.withRest(pages), () -> taken++, () -> unsaid++);
    calls.get(2).answer(unwritable);

    assertThat(taken).isEqualTo(2);
    assertThat(unsaid).isEqualTo(2);
    assertThat(pages.closed).isTrue();
    assertThat(use().taken()).isZero();
    for (var each : List.of(shut, streamed, counted)) {
      assertThat(each.reads()).startsWith("HTTP/1.1 500 ");
      assertThat(each.asks("GET", "/health").reads()).startsWith("HTTP/1.1 200 ");
    }
    assertThat(taken).isEqualTo(2);
  }

  /** As when a broker that stops has closed its event loops already. */
  @Test
  void anAnswerFromAnotherThreadThatCannotBeWrittenCostsItsCallOnly() throws Exception {
    var socket = get("/later");
    var unwritable = new HttpAnswer(-1, List.of(), new byte[PAGE]);

    var other =
        new Thread(() -> calls.getFirst().answer(unwritable, () -> taken++, () -> unsaid++));
    other.start();
    other.join();
    socket.runPendingTasks();

    assertThat(taken).isEqualTo(1);
    assertThat(unsaid).isEqualTo(1);
    assertThat(socket.reads()).startsWith("HTTP/1.1 500 ");
  }

  @Test
  void aRestThatCannotBeAskedForEndsTheConnection() {
    var socket = get("/later");
    var rest =
        new BodyRest() {
          boolean closed;

          @Override
          public void next(Listener listener) {
            throw new IllegalStateException("on purpose");
          }

          @Override
          public void close() {
            closed = true;
          }
        };

    calls
        .getFirst()
        .answer(HttpAnswer.text(200, "text/plain", "first").withRest(rest), () -> taken++);
    assertThat(socket.reads()).startsWith("HTTP/1.1 200 ");

    assertThat(socket.isOpen()).isFalse();
    assertThat(rest.closed).isTrue();
    assertThat(taken).isEqualTo(1);
  }

  @Test
  void whatIsCountedElsewhereIsToldWhenTheSocketHasIt() {
    var read = get("/message");
    var gone = get("/message");
    assertThat(use().taken()).isZero();
    assertThat(taken).isZero();

    read.reads();
    assertThat(taken).isEqualTo(1);
    var unused = gone.close();
    assertThat(taken).isEqualTo(2);

    var early = get("/later");
    var ignored = early.close();
    calls.getFirst().answer(page(), () -> taken++);
    early.runPendingTasks();
    assertThat(taken).as("it goes to nobody").isEqualTo(3);
  }
}

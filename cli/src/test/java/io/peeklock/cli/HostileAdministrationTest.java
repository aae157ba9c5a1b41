package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.peeklock.proof.LongProof;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a broker answers over HTTP, a command ends with one sentence and the code for it. */
@Timeout(300)
@LongProof
class HostileAdministrationTest {
  private static final long FAR_TOO_MUCH = 1L << 30;
  private static final String FEED = "<feed xmlns=\"http://www.w3.org/2005/Atom\">";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicLong written = new AtomicLong();
  private final CountDownLatch over = new CountDownLatch(1);
  private final HttpServer broker;

  /** What a broker answers after the head. */
  private interface Answer {
    void to(OutputStream body) throws IOException, InterruptedException;
  }

  HostileAdministrationTest() throws IOException {
    broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    broker.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    broker.start();
  }

  @AfterEach
  void stop() {
    over.countDown();
    broker.stop(0);
  }

  /** Answers in chunks, or says a length first. */
  private void answering(int status, long length, Answer answer) {
    broker.createContext("/", exchange -> answer(exchange, status, length, answer));
  }

  private void answer(HttpExchange exchange, int status, long length, Answer answer) {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(status, length);
      answer.to(exchange.getResponseBody());
    } catch (IOException gone) {
      assertThat(gone).isNotNull(); // the command has had enough
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private String connection() {
    return "Endpoint=sb://127.0.0.1:"
        + broker.getAddress().getPort()
        + ";SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true";
  }

  private int run(String... arguments) {
    return CliMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private void endless(OutputStream body) throws IOException {
    var piece = "<a/>".repeat(16 << 10).getBytes(StandardCharsets.UTF_8);
    while (written.addAndGet(piece.length) < FAR_TOO_MUCH) {
      body.write(piece);
    }
  }

  private static void write(OutputStream body, String text) throws IOException {
    body.write(text.getBytes(StandardCharsets.UTF_8));
    body.flush();
  }

  private void saidInOneSentence(int code, int expected) {
    assertThat(code).isEqualTo(expected);
    assertThat(err.toString()).startsWith("peeklock: ").hasLineCount(1).hasSizeLessThan(3_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, FAR_TOO_MUCH})
  void anAnswerWithoutAnEndIsReadNoFurther(long length) {
    answering(200, length, this::endless);

    saidInOneSentence(run("queue", "list", "--connection", connection()), CliFailure.UNREACHABLE);

    assertThat(err.toString()).contains("no answer", "it is longer than");
    assertThat(written.get()).isLessThan(FAR_TOO_MUCH / 4);
  }

  @Test
  void aRefusalWithoutAnEndIsReadNoFurther() {
    answering(409, 0, this::endless);

    saidInOneSentence(
        run("queue", "create", "q", "--connection", connection()), CliFailure.UNREACHABLE);

    assertThat(written.get()).isLessThan(FAR_TOO_MUCH / 4);
  }

  @Test
  void aListWithoutAnEndIsReadNoFurther() {
    var page = FEED + "<entry><content><q/></content></entry>".repeat(50_000) + "</feed>";
    answering(200, 0, body -> write(body, page));

    saidInOneSentence(run("queue", "list", "--connection", connection()), CliFailure.UNREACHABLE);

    assertThat(err.toString()).contains("the list of the broker has no end");
  }

  @Test
  void anAnswerThatStopsHalfwayIsNotWaitedForForEver() {
    answering(
        200,
        0,
        body -> {
          write(body, FEED);
          over.await();
        });

    try (var api =
        new AdministrationClient(
            ConnectionString.parse(connection()), Trust.of(null), Duration.ofSeconds(1))) {
      assertThatThrownBy(() -> api.list("$Resources/Queues", each -> {}))
          .isInstanceOf(CliFailure.class)
          .hasMessageContaining("no answer")
          .hasMessageContaining("it was not whole after 1 s");
    }
  }

  @Test
  void anAnswerThatNestsWithoutAnEndIsSaid() {
    var deep = "<a>".repeat(200_000) + "</a>".repeat(200_000);
    answering(
        200,
        0,
        body -> write(body, FEED + "<entry><content>" + deep + "</content></entry></feed>"));

    saidInOneSentence(
        run("queue", "show", "q", "--connection", connection()), CliFailure.UNREACHABLE);
  }

  @Test
  void whatABrokerSaysIsOneLineWithoutControlCharacters() {
    var detail = "no\u009b2J\npeeklock: 7 messages accepted\u202e" + "x".repeat(100_000);
    answering(409, 0, body -> write(body, "<Error><Detail>" + detail + "</Detail></Error>"));

    saidInOneSentence(
        run("queue", "create", "q", "--connection", connection()), CliFailure.REFUSED);

    assertThat(err.toString()).contains("no 2J peeklock: 7").doesNotContain("\u009b", "\u202e");
  }
}

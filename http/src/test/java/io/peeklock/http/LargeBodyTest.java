package io.peeklock.http;

import static io.peeklock.http.HttpFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.http.HttpFixture.Taker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are too large to be held, as they arrive on a connection. */
class LargeBodyTest {
  private static final String PART = "0123456789".repeat(100);

  private final HttpFixture http = HttpFixture.onLoopback();

  @AfterEach
  void nothingIsHeld() {
    var unused = http.channel.close();
    assertThat(http.edge.budgets()).allMatch(budget -> budget.taken() == 0);
    assertThat(http.takers).allMatch(taker -> taker.ended + taker.dropped == 1);
  }

  private static String post(String headers) {
    return "POST /large HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n\r\n";
  }

  private static String chunk(String bytes) {
    return Integer.toHexString(bytes.length()) + "\r\n" + bytes + "\r\n";
  }

  private Taker taker() {
    return http.takers.getLast();
  }

  @Test
  void oneOfKnownLengthIsPassedOnFromItsFirstByte() {
    http.send(post("Content-Length: 3000"));
    assertThat(taker().length).isEqualTo(3_000);
    http.send(PART);
    assertThat(taker().taken).hasToString(PART);
    assertThat(http.send(PART + PART)).as("its answer comes later").isEmpty();
    assertThat(taker().taken).hasToString(PART + PART + PART);
    assertThat(taker().ended).isEqualTo(1);

    taker().call.answer(HttpAnswer.empty(201));

    assertThat(http.answered()).startsWith("HTTP/1.1 201 ").doesNotContain("connection: close");
    assertThat(http.send(get("/echo"))).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void oneOfUnknownLengthIsHeldUntilItIsLarge() {
    http.send(post("Transfer-Encoding: chunked") + chunk(PART));
    assertThat(taker().length).isNegative();
    assertThat(taker().taken).isEmpty();
    http.send(chunk("a"));
    assertThat(taker().taken).hasToString(PART + "a");
    http.send(chunk(PART) + "0\r\n\r\n");

    assertThat(taker().taken).hasToString(PART + "a" + PART);
    taker().call.answer(HttpAnswer.empty(201));
    assertThat(http.answered()).startsWith("HTTP/1.1 201 ");
  }

  @Test
  void oneOfUnknownLengthThatStaysSmallGoesTheWayOfSmallOnes() {
    var answer = http.send(post("Transfer-Encoding: chunked") + chunk(PART) + "0\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith(PART);
    assertThat(taker().taken).isEmpty();
    assertThat(taker().dropped).isEqualTo(1);
  }

  @Test
  void asSmallOneOfKnownLengthAsksNobody() {
    assertThat(http.send(post("Content-Length: 1000") + PART)).endsWith(PART);

    assertThat(http.takers).isEmpty();
  }

  /** Who asks first gets the final word instead of being told to go on. */
  @Test
  void whatIsKnownToComeToNothingIsAnsweredBeforeTheBodyComes() {
    var refused = http.send(post("Content-Length: 10001\r\nExpect: 100-continue"));

    assertThat(refused).startsWith("HTTP/1.1 403 ").containsIgnoringCase("connection: close");
    assertThat(http.takers).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Content-Length: 3000", "Content-Length: 1000", "Transfer-Encoding: chunked"})
  void whoAsksFirstAndMaySendIsToldToGoOn(String length) {
    assertThat(http.send(post(length + "\r\nExpect: 100-continue")))
        .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
    assertThat(http.takers).hasSize(1);
  }

  @Test
  void anExpectationThatIsNoneOpensNothing() {
    assertThat(http.send(post("Content-Length: 3000\r\nExpect: tea"))).startsWith("HTTP/1.1 417 ");
    assertThat(http.takers).isEmpty();
  }

  @Test
  void oneThatTurnsOutTooLargeIsAnsweredInItsMiddleAndTheRestNotHeard() {
    http.mostLarge = 1_500;

    var answer =
        http.send(post("Transfer-Encoding: chunked") + chunk(PART) + chunk(PART) + chunk(PART));

    assertThat(answer).containsOnlyOnce("HTTP/1.1 403 ").containsIgnoringCase("connection: close");
    assertThat(taker().dropped).isEqualTo(1);
    assertThat(taker().taken).hasSize(2_000);
  }

  /** Already with the first bytes that it gets, which were held until then. */
  @Test
  void oneThatIsRefusedWithWhatWasHeldIsAnsweredOnce() {
    http.mostLarge = 500;

    var answer = http.send(post("Transfer-Encoding: chunked") + chunk(PART) + chunk("a"));

    assertThat(answer).containsOnlyOnce("HTTP/1.1 403 ");
    assertThat(taker().taken).hasSize(1_000);
  }

  @Test
  void aTakerThatBreaksIsAnsweredWith500() {
    http.openFails = true;

    assertThat(http.send(post("Content-Length: 3000")))
        .startsWith("HTTP/1.1 500 ")
        .doesNotContain("on purpose");
  }

  @ParameterizedTest
  @CsvSource({"Content-Length: 3000", "Transfer-Encoding: chunked"})
  void whoGoesAwayInTheMiddleGivesItBack(String length) {
    http.send(post(length) + (length.startsWith("T") ? chunk(PART) + chunk(PART) : PART));

    var unused = http.channel.close();

    assertThat(taker().dropped).isEqualTo(1);
    assertThat(taker().ended).isZero();
    taker().call.answer(HttpAnswer.empty(201));
    assertThat(http.answered()).isEmpty();
  }

  @Test
  void brokenChunksGiveItBack() {
    http.send(post("Transfer-Encoding: chunked") + chunk(PART) + chunk(PART));

    assertThat(http.send("xyz\r\n")).startsWith("HTTP/1.1 400 ");
    assertThat(taker().dropped).isEqualTo(1);
  }

  // --- room ---

  @Test
  void whileThereIsNoRoomNothingIsRead() {
    http.send(post("Content-Length: 3000"));
    taker().full = true;
    http.send(PART);
    assertThat(http.channel.config().isAutoRead()).isFalse();

    taker().full = false;
    taker().call.readOn();

    assertThat(http.channel.config().isAutoRead()).isTrue();
    http.send(PART + PART);
    taker().call.readOn();
    taker().call.answer(HttpAnswer.empty(201));
    assertThat(http.answered()).startsWith("HTTP/1.1 201 ");
  }

  /** The end and the answer of a connection are heard again. */
  @Test
  void atItsEndReadingGoesOnHoweverLittleRoomThereIs() {
    http.send(post("Content-Length: 3000"));
    taker().full = true;
    http.send(PART);
    http.send(PART + PART);

    assertThat(taker().ended).isEqualTo(1);
    assertThat(http.channel.config().isAutoRead()).isTrue();
  }

  @Test
  void anAnswerInItsMiddleGoesOnReading() {
    http.send(post("Content-Length: 3000"));
    taker().full = true;
    http.send(PART);

    taker().call.answer(HttpAnswer.error(503, "busy"));

    assertThat(http.channel.config().isAutoRead()).isTrue();
    assertThat(http.answered()).startsWith("HTTP/1.1 503 ");
  }

  // --- time ---

  @Test
  void oneThatGoesOnSteadilyMayTakeAsLongAsItTakes() {
    http.mostLarge = Long.MAX_VALUE;
    http.send(post("Content-Length: 4000000"));
    var said = new StringBuilder();
    for (var second = 0; second < 1_800; second++) {
      said.append(http.send(PART + PART)).append(http.after(1_000));
    }

    assertThat(said).isEmpty();
    assertThat(http.channel.isOpen()).isTrue();
  }

  /** However much came before: a large start buys a minute, not hours. */
  @Test
  void oneThatStandsStillIsGivenUpAfterAMinute() {
    http.mostLarge = Long.MAX_VALUE;
    http.send(post("Content-Length: 4000000") + PART.repeat(1_000));

    var before = http.after(59_000);
    var after = http.after(3_000);

    assertThat(before).isEmpty();
    assertThat(after).startsWith("HTTP/1.1 408 ");
    assertThat(taker().dropped).isEqualTo(1);
  }

  @Test
  void whileTheBrokerDoesNotReadNobodyIsSlow() {
    http.send(post("Content-Length: 3000"));
    taker().full = true;
    http.send(PART);
    assertThat(http.after(600_000)).isEmpty();

    taker().full = false;
    taker().call.readOn();

    assertThat(http.after(9_000)).isEmpty();
    assertThat(http.after(5_000)).startsWith("HTTP/1.1 408 ");
  }
}

package io.peeklock.http;

import static io.peeklock.http.HttpFixture.get;
import static io.peeklock.http.HttpFixture.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection makes of requests, good ones and others. */
class HttpConnectionTest {
  private HttpFixture http = HttpFixture.onLoopback();

  @Test
  void severalRequestsShareAConnection() {
    var first = http.send(post("Content-Length: 3", "one"));
    var second = http.send(post("Content-Length: 3", "two"));

    assertThat(first).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\none");
    assertThat(second).endsWith("\r\n\r\ntwo");
    assertThat(http.channel.isOpen()).isTrue();
  }

  @Test
  void aRequestThatComesByteByByteIsPutTogether() {
    var answer = new StringBuilder();
    for (var c : post("Content-Length: 3", "one").toCharArray()) {
      answer.append(http.send(String.valueOf(c)));
    }

    assertThat(answer).endsWith("one");
  }

  @Test
  void chunksAreReadToTheirEnd() {
    var answer = http.send(post("Transfer-Encoding: chunked", "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"));

    assertThat(answer).endsWith("onetwo");
  }

  @Test
  void headGetsTheHeadersOfGetAndNoBody() {
    http.send("HEAD /later HTTP/1.1\r\nHost: localhost\r\n\r\n");
    http.calls.getFirst().answer(HttpAnswer.text(200, "text/plain", "body"));

    assertThat(http.answered()).contains("content-length: 4\r\n").endsWith("\r\n\r\n");
    assertThat(http.send(post("Content-Length: 3", "one"))).endsWith("\r\n\r\none");
  }

  @Test
  void anAnswerMayComeLaterAndOnlyTheFirstCounts() {
    var before = http.send(get("/later"));
    var call = http.calls.getFirst();

    call.answer(HttpAnswer.empty(204));
    call.answer(HttpAnswer.empty(500));

    assertThat(before).isEmpty();
    assertThat(http.answered()).startsWith("HTTP/1.1 204 ").doesNotContain("500");
    assertThat(http.send(get("/echo"))).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void oneWhoGoesAwayBeforeTheAnswerIsToldOfOnce() {
    var gone = new AtomicBoolean();
    http.send(get("/later"));
    var call = http.calls.getFirst();
    call.whenGone(() -> gone.set(true));

    var unused = http.channel.close();
    call.answer(HttpAnswer.empty(204));

    assertThat(gone).isTrue();
    assertThat(http.answered()).isEmpty();
    var late = new AtomicBoolean();
    call.whenGone(() -> late.set(true));
    assertThat(late).isTrue();
  }

  @Test
  void aRequestBeforeTheAnswerToTheLastOneEndsTheConnectionWithThatAnswer() {
    http.send(get("/later") + get("/later") + get("/later"));

    http.calls.getFirst().answer(HttpAnswer.empty(204));

    assertThat(http.calls).hasSize(1);
    assertThat(http.answered()).contains("connection: close");
  }

  @Test
  void whatAHandlerThrowsIsAnsweredWith500() {
    assertThat(http.send(get("/broken"))).startsWith("HTTP/1.1 500 ").doesNotContain("on purpose");
  }

  /** Nothing else ends a call that a handler has: it may wait for a day. */
  @Test
  void anErrorIsAnsweredWith500TooWhoeverThrowsIt() {
    assertThat(http.send(get("/lacking"))).startsWith("HTTP/1.1 500 ");
    http.send(get("/later"));

    http.calls
        .getFirst()
        .attempt(
            () -> {
              throw new OutOfMemoryError("on purpose");
            });

    assertThat(http.answered()).startsWith("HTTP/1.1 500 ");
    assertThat(http.send(get("/echo"))).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void oneWhoAsksFirstIsToldToGoOn() {
    var resume = http.send(post("Content-Length: 3\r\nExpect: 100-continue", ""));

    assertThat(resume).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
    assertThat(http.send("one")).startsWith("HTTP/1.1 200 OK").endsWith("one");
  }

  /** Each ends the connection: what comes behind it might not be what it seems. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | GET /nothing HTTP/1.1~Host: localhost~~",
        "405 | DELETE /echo HTTP/1.1~Host: localhost~~",
        "400 | GET /echo HTTP/1.1~~",
        "400 | GET /echo HTTP/1.1~Host: localhost~Host: localhost~~",
        "400 | GET /echo HTTP/1.1~Host: localhost:\u00e4~~",
        "400 | GET /echo HTTP/1.1~Host: localhost:a b~~",
        "403 | GET /echo HTTP/1.1~Host: evil.example~~",
        "403 | GET http://evil.example/echo HTTP/1.1~Host: localhost~~",
        "403 | GET http://localhost/echo HTTP/1.1~Host: evil.example~~",
        "403 | GET /echo HTTP/1.1~Host: localhost~Origin: https://evil.example~~",
        "403 | GET /echo HTTP/1.1~Host: localhost~Origin: null~~",
        "400 | POST /echo HTTP/1.1~Host: localhost~Content-Length: 3~Transfer-Encoding:"
            + " chunked~~0~~",
        "400 | POST /echo HTTP/1.1~Host: localhost~Transfer-Encoding: chunked~Content-Length:"
            + " 3~~0~~",
        "400 | POST /echo HTTP/1.1~Host: localhost~Content-Length: 3~Content-Length: 4~~abcd",
        "400 | POST /echo HTTP/1.1~Host: localhost~Content-Length: -3~~abc",
        "400 | POST /echo HTTP/1.1~Host: localhost~Content-Length: 0x3~~abc",
        "400 | POST /echo HTTP/1.1~Host: localhost~Transfer-Encoding : chunked~~0~~",
        "501 | POST /echo HTTP/1.1~Host: localhost~Transfer-Encoding: gzip, chunked~~0~~",
        "400 | POST /echo HTTP/1.0~Host: localhost~Transfer-Encoding: chunked~~0~~",
        "413 | POST /echo HTTP/1.1~Host: localhost~Content-Type: text/plain~Content-Length: 1001~~",
        "413 | GET /later HTTP/1.1~Host: localhost~Content-Length: 1~~x",
        "415 | POST /echo HTTP/1.1~Host: localhost~Content-Type: text/html~Content-Length: 1~~x",
        "415 | POST /echo HTTP/1.1~Host: localhost~Content-Length: 1~~x",
        "417 | POST /echo HTTP/1.1~Host: localhost~Expect: tea~~",
        "505 | GET /echo HTTP/2.0~Host: localhost~~",
        "400 | GET /a/../echo HTTP/1.1~Host: localhost~~",
        "400 | GET /%2e%2e/echo HTTP/1.1~Host: localhost~~",
        "400 | GET /a%00b HTTP/1.1~Host: localhost~~",
        "400 | GET /a%0d%0ab HTTP/1.1~Host: localhost~~",
        "400 | GET /a%f HTTP/1.1~Host: localhost~~",
        "400 | GET /%ff HTTP/1.1~Host: localhost~~",
        "400 | GET * HTTP/1.1~Host: localhost~~",
        "400 | nonsense~~",
      })
  void whatCannotBeIsRefusedAndTheRestNotHeard(int status, String request) {
    var answer = http.send(request.strip().replace("~", "\r\n") + get("/later"));

    assertThat(answer)
        .startsWith("HTTP/1.1 " + status + " ")
        .containsIgnoringCase("connection: close")
        .containsOnlyOnce("X-Content-Type-Options");
    assertThat(http.calls).isEmpty();
    http.after(1_001);
    assertThat(http.channel.isOpen()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:5300",
        "127.0.0.1",
        "127.1.2.3:80",
        "[::1]:5672",
        "orders.localhost",
        "broker.test",
        "Broker.Test:443"
      })
  void ownNamesAreOwnWhateverTheirCaseAndPort(String host) {
    assertThat(http.send("GET /echo HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @CsvSource({
    "broker.example:443, true, 200",
    "broker.example:80, false, 403",
    "Broker.Test:5300, false, 200",
    "peeklock:5300, false, 200",
    "localhost:32768, false, 200",
    "192.0.2.7:5300, false, 200",
    "[2001:db8::7]:5300, false, 200",
    "host.docker.internal:5300, false, 200",
    "peeklock.default.svc.cluster.local, false, 200",
    "192.0.2.7.evil.example, false, 403",
    "internal.example, false, 403",
  })
  void fromOtherMachinesNamesThatAnybodyCanOwnAreGoodInTlsOnly(
      String host, boolean tls, String status) {
    var far = new HttpFixture("203.0.113.7", tls);

    assertThat(far.send("GET /echo HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
        .startsWith("HTTP/1.1 " + status);
  }

  @Test
  void fromOtherMachinesTheOriginIsThatOfTheBroker() {
    var far = new HttpFixture("203.0.113.7", true);
    var head = "GET /echo HTTP/1.1\r\nHost: broker.example:443\r\n";

    assertThat(far.send(head + "Origin: https://broker.example\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
    assertThat(far.send(head + "Origin: https://evil.example\r\n\r\n")).startsWith("HTTP/1.1 403");
  }

  @Test
  void theLimitOfABodyHoldsForChunksToo() {
    var chunk = "3e8\r\n" + "x".repeat(1_000) + "\r\n";
    var fits = http.send(post("Transfer-Encoding: chunked", chunk + "0\r\n\r\n"));
    var tooLarge = http.send(post("Transfer-Encoding: chunked", chunk + "1\r\nx\r\n"));

    assertThat(fits).startsWith("HTTP/1.1 200");
    assertThat(tooLarge).startsWith("HTTP/1.1 413");
  }

  @Test
  void linesAndHeadersHaveLimits() {
    var line = http.send("GET /echo?" + "x".repeat(9_000) + " HTTP/1.1\r\n");
    http = HttpFixture.onLoopback();
    var large = http.send("GET /echo HTTP/1.1\r\nHost: localhost\r\nA: " + "x".repeat(66_000));
    http = HttpFixture.onLoopback();
    var many =
        http.send("GET /echo HTTP/1.1\r\nHost: localhost\r\n" + "A: b\r\n".repeat(100) + "\r\n");

    assertThat(line).startsWith("HTTP/1.1 414");
    assertThat(large).startsWith("HTTP/1.1 431");
    assertThat(many).startsWith("HTTP/1.1 431");
  }

  @Test
  void headersThatTrickleInAreGivenTenSeconds() {
    http.send("GET /echo HTTP/1.1\r\n");
    var before = http.after(9_000);
    http.send("Host: localhost\r\n");

    assertThat(before).isEmpty();
    assertThat(http.after(1_001)).startsWith("HTTP/1.1 408");
  }

  @Test
  void aBodyMayBeSlowButNotStandStill() {
    http.send(post("Content-Length: 1000", ""));
    var steady = new StringBuilder();
    for (var second = 0; second < 10; second++) {
      steady.append(http.send("x".repeat(50))).append(http.after(1_000));
    }

    assertThat(steady).isEmpty();
    assertThat(http.after(2_000)).startsWith("HTTP/1.1 408");
  }

  @Test
  void silenceBetweenRequestsIsEndedAfterAMinuteWithoutAWord() {
    http.send(get("/echo"));

    assertThat(http.after(59_999)).isEmpty();
    assertThat(http.channel.isOpen()).isTrue();
    assertThat(http.after(2)).isEmpty();
    assertThat(http.channel.isOpen()).isFalse();
  }

  @Test
  void aHandlerMayTakeItsTime() {
    http.send(get("/later"));

    http.after(3_600_000);
    http.calls.getFirst().answer(HttpAnswer.empty(200));

    assertThat(http.answered()).startsWith("HTTP/1.1 200");
  }

  @Test
  void anUpgradeHandsOverEverythingThatFollows() {
    var answer = http.send("GET /UP/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: x\r\n\r\nmore");
    http.send(" bytes");

    assertThat(answer).startsWith("HTTP/1.1 101 Switching Protocols\r\n");
    assertThat(http.afterUpgrade).hasToString("more bytes");
    assertThat(http.edge.liveConnections()).isZero();
    http.after(3_600_000);
    assertThat(http.channel.isOpen()).as("no deadline of HTTP is left").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Upgrade: x\r\nContent-Length: 1\r\n\r\nx", "\r\n"})
  void anUpgradeThatCannotBeEndsTheConnection(String rest) {
    var answer = http.send("GET /up HTTP/1.1\r\nHost: localhost\r\n" + rest + "more");

    assertThat(answer).startsWith("HTTP/1.1 4");
    assertThat(http.afterUpgrade).isEmpty();
  }

  @Test
  void onTheWayOutTheIdleGoNowAndTheBusyWithTheirAnswer() {
    http.send(get("/echo"));
    http.edge.closeAll();
    http.answered();
    assertThat(http.channel.isOpen()).isFalse();

    http = HttpFixture.onLoopback();
    http.send(get("/later"));
    http.edge.closeAll();
    assertThat(http.answered()).isEmpty();
    http.calls.getFirst().answer(HttpAnswer.empty(204));

    assertThat(http.answered()).contains("204").contains("connection: close");
  }
}

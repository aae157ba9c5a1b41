package io.peeklock.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of other origins that an operator has named, and those that nobody has. */
class OriginsTest {
  private static final String SHOP = "Origin: https://shop.example\r\n";
  private static final String ASKS = "Access-Control-Request-Method: POST\r\n";

  private final HttpFixture http =
      new HttpFixture(
          "127.0.0.1", HttpLimits.DEFAULT, new Origins(List.of("https://Shop.example")));

  private String ask(String method, String path, String headers) {
    return http.send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
  }

  @Test
  void anAllowedPageIsToldWhatItMayAskAndReadsTheAnswers() {
    var may = ask("OPTIONS", "/echo", SHOP + ASKS + "Access-Control-Request-Headers: a, b\r\n");
    assertThat(may)
        .startsWith("HTTP/1.1 204 ")
        .containsIgnoringCase("access-control-allow-origin: https://shop.example\r\n")
        .containsIgnoringCase("access-control-allow-methods: GET, HEAD, POST, PUT, DELETE\r\n")
        .containsIgnoringCase("access-control-allow-headers: a, b\r\n")
        .as("the client for administrators asks with credentials")
        .containsIgnoringCase("access-control-allow-credentials: true\r\n")
        .containsIgnoringCase("vary: origin\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/echo", "/nowhere", "/broken"})
  void everyAnswerMayBeReadByIt(String path) {
    assertThat(ask("GET", path, SHOP))
        .containsIgnoringCase("access-control-allow-origin: https://shop.example\r\n")
        .containsIgnoringCase("access-control-allow-credentials: true\r\n")
        .containsIgnoringCase("access-control-expose-headers: *, BrokerProperties, ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example",
        "http://shop.example",
        "https://shop.example:444",
        "https://shop.example.evil.example",
        "https://evil-shop.example",
        "null",
      })
  void othersAreRefusedAndMayReadNothing(String origin) {
    for (var method : List.of("OPTIONS", "GET")) {
      var fresh =
          new HttpFixture(
              "127.0.0.1", HttpLimits.DEFAULT, new Origins(List.of("https://shop.example")));
      assertThat(
              fresh.send(
                  method
                      + " /echo HTTP/1.1\r\nHost: localhost\r\nOrigin: "
                      + origin
                      + "\r\n"
                      + ASKS
                      + "\r\n"))
          .startsWith("HTTP/1.1 403 ")
          .doesNotContainIgnoringCase("access-control-allow");
    }
  }

  @Test
  void whatIsNoQuestionOfABrowserIsARequestLikeAnyOther() {
    assertThat(ask("OPTIONS", "/echo", SHOP)).startsWith("HTTP/1.1 405 ");
    var without = new HttpFixture("127.0.0.1", HttpLimits.DEFAULT);
    assertThat(without.send("OPTIONS /echo HTTP/1.1\r\nHost: localhost\r\n" + ASKS + "\r\n"))
        .startsWith("HTTP/1.1 405 ")
        .doesNotContainIgnoringCase("access-control");
  }

  @Test
  void aPageThatIsAllowedStillCallsTheBrokerByItsName() {
    assertThat(http.send("GET /echo HTTP/1.1\r\nHost: evil.example\r\n" + SHOP + "\r\n"))
        .startsWith("HTTP/1.1 403 ");
  }
}

package io.peeklock.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a request line points at. */
class HttpTargetTest {

  @ParameterizedTest
  @CsvSource({
    "/, /",
    "/orders/messages/head, /orders/messages/head",
    "/a%2Fb/%24DeadLetterQueue, /a/b/$DeadLetterQueue",
    "/%E2%82%AC~+, /€~+",
    "/orders/, /orders/",
    "/..a/b.., /..a/b..",
  })
  void pathsAreDecodedOnce(String target, String path) {
    assertThat(HttpTarget.parse(target)).get().extracting(HttpTarget::path).isEqualTo(path);
  }

  @Test
  @Rule("T-64")
  void aWholeAddressIsATargetToo() {
    var target = HttpTarget.parse("https://localhost:443/$servicebus/websocket").orElseThrow();
    var bare = HttpTarget.parse("http://localhost").orElseThrow();

    assertThat(target.authority()).isEqualTo("localhost:443");
    assertThat(target.path()).isEqualTo("/$servicebus/websocket");
    assertThat(bare.path()).isEqualTo("/");
  }

  @Test
  void parametersKeepTheirOrderAndTheirEqualsSigns() {
    var target = HttpTarget.parse("/q?api-version=2021-05&$top=1&x=a%3Db+c=d&flag").orElseThrow();

    assertThat(target.query())
        .containsExactly(
            Map.entry("api-version", "2021-05"),
            Map.entry("$top", "1"),
            Map.entry("x", "a=b c=d"),
            Map.entry("flag", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "/a?%",
    "/a?x=%zz",
    "relative",
    "/a/.",
    "/a/%2e%2e%2fb",
    "/a\\..\\b",
    "''",
    "http://localhost:5\u007f/a",
    "http://localhost:\u00e4/a"
  })
  void whatIsNoPathIsNone(String target) {
    assertThat(HttpTarget.parse(target)).isEmpty();
  }

  @Test
  void parametersWithoutEndAreNone() {
    assertThat(HttpTarget.parse("/a?" + "b&".repeat(100))).isPresent();
    assertThat(HttpTarget.parse("/a?" + "b&".repeat(101))).isEmpty();
  }
}

package io.peeklock.http.messages;

import static io.peeklock.http.messages.ApiFixture.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.BodyRest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages with bodies that nobody holds in memory, in and out. */
class LargeMessagesTest {
  private final ApiFixture api = new ApiFixture();

  // --- in ---

  private static final String LARGE = "0123456789abcdef".repeat(100_000);

  private static final String PROPERTIES =
      "Content-Type: text/plain\r\nBrokerProperties: {\"Label\":\"M1\"}\r\nPriority: 7\r\n";

  /** Bytes that come behind a head, with the answer to them. */
  private String then(String bytes) {
    api.channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII));
    return api.answered();
  }

  private String chunked(String headers, String... chunks) {
    var body = new StringBuilder();
    for (var chunk : chunks) {
      body.append(Integer.toHexString(chunk.length())).append("\r\n").append(chunk).append("\r\n");
    }
    api.ask("POST /orders/messages", headers + "Transfer-Encoding: chunked\r\n", "");
    return then(body + "0\r\n\r\n");
  }

  @Test
  @Rule("S-084")
  void aLargeMessageHasItsPropertiesLikeAnyOther() {
    assertThat(api.ask("POST /orders/messages", PROPERTIES, LARGE)).startsWith("HTTP/1.1 201 ");
    assertThat(chunked(PROPERTIES, LARGE.substring(0, 9), LARGE.substring(9)))
        .startsWith("HTTP/1.1 201 ");
    assertThat(chunked(PROPERTIES, "small")).startsWith("HTTP/1.1 201 ");

    assertThat(api.messages.intakes).hasSize(3);
    assertThat(api.messages.intakes.getLast().aborted).isTrue();
    for (var body : List.of(LARGE, LARGE, "small")) {
      var got = api.ask("DELETE /orders/messages/head");
      assertThat(got).endsWith("\r\n\r\n" + body);
      assertThat(header(got, "Content-Type")).isEqualTo("text/plain");
      assertThat(header(got, "Priority")).isEqualTo("7");
      assertThat(header(got, "BrokerProperties")).contains("\"Label\":\"M1\"");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "401 /orders/messages",
        "404 /nothing/messages",
        "400 /orders/messages BrokerProperties: x",
        "400 /orders/messages BrokerProperties: {\"SessionId\":\"a\",\"PartitionKey\":\"b\"}",
        "403 /orders/messages Content-Length: 4194305"
      })
  @Rule({"S-431", "S-469", "S-478"})
  void whatTheHeadTellsIsAnsweredBeforeTheBodyComes(String story) {
    var parts = story.split(" ", 3);
    var right = parts[0].equals("401") ? "Listen" : "Send";
    var length = story.contains("Length") ? "" : "Content-Length: 2000000\r\n";
    var headers = parts.length < 3 ? "" : parts[2] + "\r\n";
    var token = "Authorization: " + ApiFixture.token("http://x/", right) + "\r\n";

    var answer =
        api.askWith("POST " + parts[1], token + "Expect: 100-continue\r\n" + length + headers, "");

    assertThat(answer)
        .startsWith("HTTP/1.1 " + parts[0] + " ")
        .contains("TrackingId:")
        .containsIgnoringCase("connection: close");
    assertThat(api.messages.intakes).isEmpty();
  }

  @Test
  @Rule("S-431")
  void oneThatTurnsOutTooLargeIsRefusedInItsMiddle() {
    var answer = chunked("", LARGE, LARGE, LARGE);

    assertThat(answer)
        .containsOnlyOnce("HTTP/1.1 403 ")
        .contains("SubCode=40300. too large. TrackingId:");
    assertThat(api.messages.intakes.getFirst().aborted).isTrue();
    assertThat(api.messages.sent).isEmpty();
  }

  @Test
  @Rule("S-478")
  void aTokenThatRanOutWhileTheBodyCameOpensNothing() {
    var token = ApiFixture.token("http://x/orders", "Send", "SAS_KEY_VALUE", 1_800_000_001L);
    api.askWith(
        "POST /orders/messages",
        "Authorization: " + token + "\r\nContent-Length: " + LARGE.length() + "\r\n",
        "");
    api.nowMillis += 3_600_000;

    assertThat(then(LARGE)).startsWith("HTTP/1.1 401 ").contains("ExpiredToken");

    assertThat(api.messages.sent).isEmpty();
    assertThat(api.messages.intakes.getFirst().aborted).isTrue();
  }

  @Test
  void whileItsIntakeHasNoRoomNothingIsRead() {
    api.ask("POST /orders/messages", "Content-Length: " + LARGE.length() + "\r\n", "");
    var intake = api.messages.intakes.getFirst();
    intake.full = true;
    then(LARGE.substring(0, 1_000));
    assertThat(api.channel.config().isAutoRead()).isFalse();

    intake.full = false;
    intake.room.run();

    assertThat(api.channel.config().isAutoRead()).isTrue();
    assertThat(then(LARGE.substring(1_000))).startsWith("HTTP/1.1 201 ");
  }

  @Test
  void whoGoesAwayInItsMiddleLeavesNothing() {
    api.ask("POST /orders/messages", "Content-Length: " + LARGE.length() + "\r\n", "");
    then(LARGE.substring(0, 1_000));

    var unused = api.channel.close();

    assertThat(api.messages.intakes.getFirst().aborted).isTrue();
    assertThat(api.messages.sent).isEmpty();
  }

  // --- out ---

  /** A rest of three pieces that counts what is asked of it. */
  private static final class Rest implements BodyRest {
    final List<Listener> asked = new ArrayList<>();
    int closed;

    @Override
    public void next(Listener listener) {
      asked.add(listener);
    }

    @Override
    public void close() {
      closed++;
    }
  }

  @Test
  void aLargeBodyGoesOutInChunksAsItIsTaken() {
    var rest = new Rest();
    api.messages.put(MemoryMessages.plain(Map.of(), "one".getBytes(StandardCharsets.UTF_8), rest));

    var begin = api.ask("DELETE /orders/messages/head");
    assertThat(begin.toLowerCase(Locale.ROOT)).contains("transfer-encoding: chunked");
    assertThat(begin).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n3\r\none\r\n");
    assertThat(rest.asked).hasSize(1);
    rest.asked.getLast().piece("three".getBytes(StandardCharsets.UTF_8), false);
    assertThat(api.answered()).isEqualTo("5\r\nthree\r\n");
    rest.asked.getLast().piece("x".getBytes(StandardCharsets.UTF_8), true);
    assertThat(api.answered()).isEqualTo("1\r\nx\r\n0\r\n\r\n");

    assertThat(rest.asked).hasSize(2);
    assertThat(rest.closed).isZero();
    assertThat(api.ask("POST /orders/messages", "", "x")).startsWith("HTTP/1.1 201 ");
  }

  /** Memory may be short when the message is there, hours after it was asked for. */
  @Test
  @Rule("S-021")
  void anErrorWhileTheAnswerIsMadeIsAnsweredAndSaysWhichMessageIsLost() {
    var rest = new Rest();
    var unspeakable =
        new Object() {
          @Override
          public String toString() {
            throw new OutOfMemoryError("on purpose");
          }
        };
    assertThat(api.ask("DELETE /orders/messages/head")).isEmpty();
    var message = MemoryMessages.plain(Map.of("p", unspeakable), new byte[1], rest);

    api.messages.waiting.getFirst().complete(new Answer.Given<>(Optional.of(message)));

    assertThat(api.answered())
        .startsWith("HTTP/1.1 500 ")
        .contains("failed to say message 7, which was received and deleted")
        .doesNotContain("on purpose");
    assertThat(rest.closed).isEqualTo(1);
    assertThat(api.ask("POST /orders/messages", "", "x")).startsWith("HTTP/1.1 201 ");
  }

  @Test
  void anErrorWhileTheAnswerToALockIsMadeGivesTheLockBack() {
    var unspeakable =
        new Object() {
          boolean isMended;

          @Override
          public String toString() {
            if (isMended) {
              return "fine";
            }
            throw new IllegalStateException("on purpose");
          }
        };
    api.messages.put(MemoryMessages.plain(Map.of("p", unspeakable), new byte[1], null));

    assertThat(api.ask("POST /orders/messages/head")).startsWith("HTTP/1.1 500 ");
    unspeakable.isMended = true;
    var again = api.ask("POST /orders/messages/head?timeout=0");

    assertThat(again).startsWith("HTTP/1.1 201 ");
    assertThat(header(again, "BrokerProperties")).contains("\"DeliveryCount\":2,");
  }

  @Test
  void aLargeBodyThatFailsEndsTheConnectionWithinIt() {
    var rest = new Rest();
    api.messages.put(MemoryMessages.plain(Map.of(), "one".getBytes(StandardCharsets.UTF_8), rest));
    api.ask("DELETE /orders/messages/head");

    rest.asked.getLast().failed("damaged");

    assertThat(api.answered()).isEmpty();
    assertThat(api.channel.isOpen()).isFalse();
  }

  @Test
  void whoGoesAwayOrTakesNothingWithinALargeBodyGivesItBack() {
    var rest = new Rest();
    api.messages.put(MemoryMessages.plain(Map.of(), "one".getBytes(StandardCharsets.UTF_8), rest));
    api.ask("DELETE /orders/messages/head");

    api.after(60_001);

    assertThat(api.channel.isOpen()).isFalse();
    assertThat(rest.closed).isEqualTo(1);
    rest.asked.getLast().piece("late".getBytes(StandardCharsets.UTF_8), true);
    assertThat(api.answered()).isEmpty();
  }
}

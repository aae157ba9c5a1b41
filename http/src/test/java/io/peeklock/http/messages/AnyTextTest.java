package io.peeklock.http.messages;

import static io.peeklock.http.messages.ApiFixture.header;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonToken;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.message.TextProperty;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No text of a message keeps its answer from being written, whichever way it came. */
class AnyTextTest {
  private static final Map<TextProperty, String> MEMBERS =
      Map.of(
          TextProperty.MESSAGE_ID, "MessageId",
          TextProperty.CORRELATION_ID, "CorrelationId",
          TextProperty.SUBJECT, "Label",
          TextProperty.TO, "To",
          TextProperty.REPLY_TO, "ReplyTo",
          TextProperty.REPLY_TO_SESSION_ID, "ReplyToSessionId",
          TextProperty.SESSION_ID, "SessionId",
          TextProperty.PARTITION_KEY, "PartitionKey",
          TextProperty.CONTENT_TYPE, "ContentType");
  private static final String BATCH = "Content-Type: application/vnd.microsoft.servicebus.json\r\n";
  private static final long SEED = 20_261_125;

  private final ApiFixture api = new ApiFixture();

  /** What may go wrong at all, and what is wrong only where it stands. */
  private static List<Character> characters() {
    var below = IntStream.range(0, 0x100);
    var others = IntStream.of(0x2028, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfeff, 0xfffe, 0xffff);
    return IntStream.concat(below, others).mapToObj(c -> (char) c).toList();
  }

  private static Stream<String> texts() {
    var random = new Random(SEED);
    var all = characters();
    var texts = new ArrayList<String>();
    for (var c : all) {
      texts.add("a" + c + "b");
      if (!Character.isLetterOrDigit(c)) { // what may mean something at an end
        texts.addAll(List.of("" + c, c + "a", "a" + c));
      }
    }
    for (var i = 0; i < 100; i++) {
      var text = new StringBuilder();
      for (var left = random.nextInt(20); left > 0; left--) {
        text.append(all.get(random.nextInt(all.size())).charValue());
      }
      texts.add(text.toString());
    }
    return texts.stream();
  }

  private static String escaped(String text) {
    var out = new StringBuilder();
    text.chars().forEach(c -> out.append(String.format(Locale.ROOT, "\\u%04x", c)));
    return out.toString();
  }

  private static Map<String, String> members(String answer) {
    var members = new HashMap<String, String>();
    try (var json = Json.FACTORY.createParser(header(answer, "BrokerProperties"))) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      while (json.nextToken() != JsonToken.END_OBJECT) {
        var name = json.currentName();
        json.nextToken();
        members.put(name, json.getText());
      }
      return members;
    } catch (IOException unreadable) {
      throw new AssertionError(answer, unreadable);
    }
  }

  private static void assertSaid(String answer, TextProperty property, String text) {
    var what = property + " " + escaped(text);
    assertThat(answer).as(what).startsWith("HTTP/1.1 20").endsWith("\r\n\r\nx");
    assertThat(answer.chars().allMatch(c -> c < 0x7f)).as(what).isTrue();
    if (property != TextProperty.CONTENT_TYPE) {
      assertThat(members(answer)).as(what).containsEntry(MEMBERS.get(property), text);
      return;
    }
    var plain = !text.isBlank() && text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    assertThat(header(answer, "Content-Type"))
        .as(what)
        .isEqualTo(plain ? text.strip() : "application/xml; charset=utf-8");
  }

  private void assertLockedAndReceived(TextProperty property, String text) {
    assertSaid(api.ask("POST /orders/messages/head"), property, text);
    assertSaid(api.ask("DELETE /orders/messages/head"), property, text);
  }

  @ParameterizedTest
  @EnumSource
  @Rule("S-084")
  void aTextThatAnotherWireBroughtIsSaid(TextProperty property) {
    var body = "x".getBytes(StandardCharsets.UTF_8);
    texts()
        .forEach(
            text -> {
              var said = new EnumMap<TextProperty, String>(Map.of(property, text));
              api.messages.put(MemoryMessages.with(said, Map.of(), body));
              api.messages.put(MemoryMessages.with(said, Map.of(), body));

              assertLockedAndReceived(property, text);
            });
  }

  @ParameterizedTest
  @EnumSource
  @Rule("S-084")
  void aTextThatCameOverHttpIsSaid(TextProperty property) {
    texts()
        .forEach(
            text -> {
              var members = "{\"" + MEMBERS.get(property) + "\":\"" + escaped(text) + "\"}";
              var item = "{\"Body\":\"x\",\"BrokerProperties\":" + members + "}";
              assertThat(api.ask("POST /orders/messages", BATCH, "[" + item + "," + item + "]"))
                  .startsWith("HTTP/1.1 201 ");

              assertLockedAndReceived(property, text);
              if (property != TextProperty.CONTENT_TYPE) {
                api.ask("POST /orders/messages", "BrokerProperties: " + members + "\r\n", "x");
                assertSaid(api.ask("DELETE /orders/messages/head"), property, text);
              }
            });
  }

  @Test
  @Rule("S-084")
  void anApplicationPropertyIsSaidOrLeftOut() {
    var body = "x".getBytes(StandardCharsets.UTF_8);
    texts()
        .forEach(
            text -> {
              var properties = new HashMap<String, Object>(Map.of(text, "v"));
              properties.putAll(Map.of("p", text, "z", 7L));
              api.messages.put(MemoryMessages.with(Map.of(), properties, body));

              var answer = api.ask("POST /orders/messages/head");

              assertThat(answer).as(escaped(text)).startsWith("HTTP/1.1 201 ");
              assertThat(header(answer, "z")).isEqualTo("7");
              assertThat(HeaderText.unescaped(quoteless(header(answer, "p")))).isEqualTo(text);
            });
  }

  private static String quoteless(String value) {
    return value.substring(1, value.length() - 1);
  }
}

package io.peeklock.http.messages;

import static io.peeklock.http.messages.ApiFixture.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.TextProperty;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties as JSON and as headers. */
class PropertiesTest {
  private final ApiFixture api = new ApiFixture();

  private OutgoingMessage sent(String headers) {
    assertThat(api.ask("POST /orders/messages", headers, "x")).startsWith("HTTP/1.1 201 ");
    return api.messages.sent.getLast();
  }

  private Map<String, Object> properties(String headers) {
    return sent(headers).applicationProperties();
  }

  private String received() {
    return api.ask("DELETE /orders/messages/head");
  }

  // --- headers (6) ---

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "hello: \"world\"",
        "dob: \"Wed, 14 Dec 2011 00:00:00 GMT\"",
        "large: 8555111000",
        "least: -9223372036854775808",
        "floating: 3.14",
        "small: -1.0E-10",
        "active: true",
        "Deceased: false",
        "quoted: \"a \\\"b\\\" c\"",
        "slash: \"C:\\\\temp\"",
        "foreign: \"Gr\\u00fc\\u00dfe \\ud83d\\ude00\"",
        "empty: \"\"",
        "Priority: \"Low\""
      })
  @Rule("S-084")
  void aPropertyComesBackAsItWasSent(String line) {
    sent(line + "\r\n");

    assertThat(received()).contains("\r\n" + line + "\r\n");
  }

  @Test
  void aHeaderHasTheTypeThatItLooksLike() {
    assertThat(
            properties(
                """
                a: "text"
                b: "Wed, 14 Dec 2011 00:00:00 GMT"
                c: 42
                d: 9223372036854775808
                e: .5
                f: TRUE
                g: bare words
                h: "half
                i: "
                j: 0x10
                k: 1e9999
                l: NaN
                m: "a\\tb\\u00e4\\u00g0\\"
                n: Grüße
                """
                    .replace("\n", "\r\n")))
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("a", "text"),
                Map.entry("b", Instant.parse("2011-12-14T00:00:00Z")),
                Map.entry("c", 42L),
                Map.entry("d", 9.223372036854776e18),
                Map.entry("e", 0.5),
                Map.entry("f", true),
                Map.entry("g", "bare words"),
                Map.entry("h", "\"half"),
                Map.entry("i", "\""),
                Map.entry("j", "0x10"),
                Map.entry("k", "1e9999"),
                Map.entry("l", "NaN"),
                Map.entry("m", "a\\tbä\\u00g0\\"),
                Map.entry("n", "Grüße")));
  }

  @Test
  void aNumberOfManyDigitsIsAText() {
    assertThat(properties("n: " + "9".repeat(2_000) + "\r\n"))
        .containsEntry("n", "9".repeat(2_000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Accept: */*", "Accept-Encoding: gzip", "Cookie: a", "Content-Language: de",
        "Proxy-Connection: a", "Sec-Fetch-Mode: a", "User-Agent: curl", "X-Forwarded-For: a",
        "x-ms-retrypolicy: NoRetry", "ServiceBusAuthorization: a", "Date: a", "Location: a",
        "ServiceBusSupplementaryAuthorization: a", "Access-Control-Allow-Origin: *"
      })
  void aHeaderThatOthersUnderstandIsNoProperty(String line) {
    assertThat(properties(line + "\r\nmine: 1\r\n")).containsOnlyKeys("mine");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: 1\r\nA: 2", "BrokerProperties: {}\r\nbrokerproperties: {}"})
  void aHeaderThatIsThereTwiceIsRefused(String headers) {
    assertThat(api.ask("POST /orders/messages", headers + "\r\n", "x"))
        .startsWith("HTTP/1.1 400 ")
        .contains("is there twice");
  }

  /** What another wire brought, and fits no header or would be taken for one of HTTP's own. */
  @Test
  void whatFitsNoHeaderIsLeftOutOrEscaped() {
    var properties = new LinkedHashMap<String, Object>();
    properties.put("Content-Length", "99");
    properties.put("Transfer-Encoding", "chunked");
    properties.put("Set-Cookie", "a=b");
    properties.put("two words", "x");
    properties.put("späť", "x");
    properties.put("", "x");
    properties.put("a\r\nb", "x");
    properties.put("bytes", new byte[] {1});
    properties.put("break", "a\r\nEvil: 1\0\u007f");
    properties.put("float", 3.14f);
    properties.put("huge", new BigInteger("18446744073709551615"));
    properties.put("decimal", new BigDecimal("9.99"));
    properties.put("span", Duration.ofMillis(1_500));
    properties.put("id", java.util.UUID.fromString("00000001-0002-0003-0004-000000000005"));
    api.messages.put(MemoryMessages.plain(properties, "x".getBytes(StandardCharsets.UTF_8), null));

    var answer = received();

    assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\nx");
    assertThat(answer).doesNotContain("99\"").doesNotContain("chunked").doesNotContain("a=b");
    assertThat(answer)
        .doesNotContain("two words")
        .doesNotContain("\r\nEvil")
        .doesNotContain("bytes:");
    assertThat(header(answer, "break")).isEqualTo("\"a\\u000d\\u000aEvil: 1\\u0000\\u007f\"");
    assertThat(header(answer, "float")).isEqualTo("3.14");
    assertThat(header(answer, "huge")).isEqualTo("18446744073709551615");
    assertThat(header(answer, "decimal")).isEqualTo("9.99");
    assertThat(header(answer, "span")).isEqualTo("\"PT1.5S\"");
    assertThat(header(answer, "id")).isEqualTo("\"00000001-0002-0003-0004-000000000005\"");
    assertThat(header(answer, "BrokerProperties"))
        .contains("\"DeadLetterSource\":\"there\"", "\"State\":\"Deferred\"")
        .contains("\"EnqueuedSequenceNumber\":5");
  }

  @Test
  void aContentTypeThatIsNoHeaderIsNotSaid() {
    sent("BrokerProperties: {}\r\n");
    assertThat(header(received(), "Content-Type")).isEqualTo("application/xml; charset=utf-8");
    api.ask(
        "POST /orders/messages",
        "Content-Type: application/vnd.microsoft.servicebus.json\r\n",
        "[{\"BrokerProperties\":{\"ContentType\":\"a\\r\\nb\"}}]");

    assertThat(header(received(), "Content-Type")).isEqualTo("application/xml; charset=utf-8");
  }

  // --- BrokerProperties (4) ---

  @Test
  @Rule("S-084")
  void everyMemberIsTakenAndUnknownOnesArePassedOver() {
    var message =
        sent(
            "Content-Type: text/plain; x=y\r\nBrokerProperties: {\"MessageId\":\"id\", "
                + "\"CorrelationId\":\"c\",\"Label\":\"Gr\\u00fc\\u00dfe\",\"To\":\"t\",\"ReplyTo\":\"r\","
                + "\"ReplyToSessionId\":\"rs\",\"SessionId\":\"s\",\"PartitionKey\":\"s\","
                + "\"TimeToLive\":1.5,\"ScheduledEnqueueTimeUtc\":\"Tue, 30 Jun 2015 20:51:21 GMT\","
                + "\"ForcePersistence\":true,\"ViaPartitionKey\":\"v\",\"Other\":{\"a\":[1,{}]},"
                + "\"DeliveryCount\":7,\"Null\":null}\r\n");

    assertThat(message.texts())
        .containsOnly(
            Map.entry(TextProperty.MESSAGE_ID, "id"),
            Map.entry(TextProperty.CORRELATION_ID, "c"),
            Map.entry(TextProperty.SUBJECT, "Grüße"),
            Map.entry(TextProperty.TO, "t"),
            Map.entry(TextProperty.REPLY_TO, "r"),
            Map.entry(TextProperty.REPLY_TO_SESSION_ID, "rs"),
            Map.entry(TextProperty.SESSION_ID, "s"),
            Map.entry(TextProperty.PARTITION_KEY, "s"),
            Map.entry(TextProperty.CONTENT_TYPE, "text/plain; x=y"));
    assertThat(message.ttlMillis()).isEqualTo(1_500);
    assertThat(message.dueAtMillis()).isEqualTo(1_435_697_481_000L);
    assertThat(message.applicationProperties()).isEmpty();
    assertThat(header(received(), "BrokerProperties"))
        .isEqualTo(
            "{\"CorrelationId\":\"c\",\"DeliveryCount\":1,\"EnqueuedSequenceNumber\":0,"
                + "\"EnqueuedTimeUtc\":\"Tue, 30 Jun 2015 20:51:21 GMT\","
                + "\"Label\":\"Gr\\u00FC\\u00DFe\",\"MessageId\":\"id\",\"PartitionKey\":\"s\","
                + "\"ReplyTo\":\"r\",\"ReplyToSessionId\":\"rs\","
                + "\"ScheduledEnqueueTimeUtc\":\"Tue, 30 Jun 2015 20:51:21 GMT\","
                + "\"SequenceNumber\":1,\"SessionId\":\"s\",\"State\":\"Active\","
                + "\"TimeToLive\":1.5,\"To\":\"t\"}");
  }

  @Test
  void textsMayBeUtf8OrLatin1() {
    assertThat(sent("BrokerProperties: {\"Label\":\"Grüße\"}\r\n").texts())
        .containsEntry(TextProperty.SUBJECT, "Grüße");
    assertThat(HeaderText.meant("Gr\u00fc\u00dfe")).isEqualTo("Grüße");
    assertThat(HeaderText.meant("\u20ac")).isEqualTo("\u20ac");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"TimeToLive\":40 | 40000",
        "\"TimeToLive\":0.0001 | 1",
        "\"TimeToLive\":922337203685.47754 | 9223372036854775807",
        "\"TimeToLive\":1e400 | 9223372036854775807",
        "\"TimeToLive\":6048000 | 6048000000",
        "\"TimeToLiveTimeSpan\":\"0.00:00:40\" | 40000",
        "\"TimeToLiveTimeSpan\":\"01:02:03.5\" | 3723500",
        "\"TimeToLiveTimeSpan\":\"10675199.02:48:05.4775807\" | 9223372036854775807",
        "\"TimeToLiveTimeSpan\":\"00:00:40\",\"TimeToLive\":7 | 7000"
      })
  @Rule({"S-081", "S-166"})
  void aTimeToLiveIsANumberOrASpan(String members, long millis) {
    assertThat(sent("BrokerProperties: {" + members + "}\r\n").ttlMillis()).isEqualTo(millis);
  }

  @Test
  void aTimeToLiveIsWrittenInSeconds() {
    assertThat(HttpTimes.seconds(40_000)).isEqualTo("40");
    assertThat(HttpTimes.seconds(1_500)).isEqualTo("1.5");
    assertThat(HttpTimes.seconds(1)).isEqualTo("0.001");
    assertThat(HttpTimes.seconds(6_000_000_000L)).isEqualTo("6000000");
    assertThat(HttpTimes.seconds(QueueDefinition.FOREVER)).isEqualTo("922337203685.47754");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2015-06-30T20:51:21Z",
        "2015-06-30T22:51:21+02:00",
        "2015-06-30T20:51:21",
        "2015-06-30T20:51:21.000",
        "Tue, 30 Jun 2015 22:51:21 +0200"
      })
  void aTimeMayBeWrittenInOtherWays(String time) {
    var header = "BrokerProperties: {\"ScheduledEnqueueTimeUtc\":\"" + time + "\"}\r\n";

    assertThat(sent(header).dueAtMillis()).isEqualTo(1_435_697_481_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "7",
        "[]",
        "{",
        "{\"Label\"",
        "{\"Label\":\"a\"",
        "{\"Label\":\"a\"}}",
        "{} {}",
        "{'Label':'a'}",
        "{\"Label\":7}",
        "{\"Label\":{}}",
        "{\"MessageId\":7}",
        "{\"TimeToLive\":\"7\"}",
        "{\"TimeToLive\":0}",
        "{\"TimeToLive\":-1}",
        "{\"TimeToLive\":NaN}",
        "{\"TimeToLiveTimeSpan\":\"-00:00:01\"}",
        "{\"TimeToLiveTimeSpan\":\"soon\"}",
        "{\"TimeToLiveTimeSpan\":\"00:00:00\"}",
        "{\"TimeToLiveTimeSpan\":40}",
        "{\"ScheduledEnqueueTimeUtc\":\"soon\"}",
        "{\"ScheduledEnqueueTimeUtc\":\"1969-12-31T23:59:59Z\"}",
        "{\"ScheduledEnqueueTimeUtc\":\"+999999999-12-31T23:59:59Z\"}",
        "{\"SessionId\":\"a\",\"PartitionKey\":\"b\"}"
      })
  void whatIsNoSuchObjectIsRefusedAndTheConnectionGoesOn(String json) {
    assertThat(api.ask("POST /orders/messages", "BrokerProperties: " + json + "\r\n", "x"))
        .startsWith("HTTP/1.1 400 ")
        .contains("<Error><Code>400</Code><Detail>SubCode=40000. ");
    assertThat(api.messages.sent).isEmpty();
    assertThat(api.ask("POST /orders/messages", "", "x")).startsWith("HTTP/1.1 201 ");
  }

  @Test
  void deepJsonAndGiantNumbersAreRefused() {
    var deep = "BrokerProperties: {\"a\":" + "[".repeat(5_000) + "\r\n";
    var giant = "BrokerProperties: {\"TimeToLive\":" + "9".repeat(5_000) + "}\r\n";

    assertThat(api.ask("POST /orders/messages", deep, "x")).startsWith("HTTP/1.1 400 ");
    assertThat(api.ask("POST /orders/messages", giant, "x")).startsWith("HTTP/1.1 400 ");
  }

  // --- batches (5) ---

  private String batch(String json) {
    var type = "Content-Type: application/vnd.microsoft.servicebus.json; charset=utf-8\r\n";
    return api.ask("POST /orders/messages", type, json);
  }

  @Test
  @Rule("S-405")
  void aBatchIsOneSendOfManyMessages() {
    assertThat(
            batch(
                "[{\"Body\":\"ä\",\"BrokerProperties\":{\"Label\":\"M1\","
                    + "\"TimeToLiveTimeSpan\":\"0.00:00:40\",\"ContentType\":\"text/plain\"}},"
                    + "{\"Body\":\"b\",\"UserProperties\":{\"Priority\":\"Low\",\"n\":1,\"f\":1.5,"
                    + "\"huge\":99999999999999999999,\"yes\":true,\"no\":false,\"null\":null}},"
                    + "{\"Other\":[{}],\"Body\":null,\"BrokerProperties\":null}]"))
        .startsWith("HTTP/1.1 201 ");

    var sent = api.messages.sent;
    assertThat(sent).hasSize(3);
    assertThat(sent.get(0).texts())
        .containsOnly(
            Map.entry(TextProperty.SUBJECT, "M1"),
            Map.entry(TextProperty.CONTENT_TYPE, "text/plain"));
    assertThat(sent.get(0).ttlMillis()).isEqualTo(40_000);
    assertThat(StandardCharsets.UTF_8.decode(sent.get(0).body().duplicate()).toString())
        .isEqualTo("ä");
    assertThat(sent.get(1).applicationProperties())
        .containsExactly(
            Map.entry("Priority", "Low"),
            Map.entry("n", 1L),
            Map.entry("f", 1.5),
            Map.entry("huge", 1e20),
            Map.entry("yes", true),
            Map.entry("no", false));
    assertThat(sent.get(2).body().remaining()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[",
        "[7]",
        "[{}",
        "[{}]]",
        "[{}] []",
        "[{\"Body\":7}]",
        "[{\"BrokerProperties\":[]}]",
        "[{\"UserProperties\":7}]",
        "[{\"UserProperties\":{\"a\":{}}}]",
        "[{\"UserProperties\":{\"a\":[1]}}]",
        "[{\"UserProperties\":{\"a\":1e999}}]",
        "[{\"Body\":\"a\"},{\"BrokerProperties\":{\"TimeToLive\":0}}]"
      })
  void whatIsNoBatchIsRefusedAsAWhole(String json) {
    assertThat(batch(json)).startsWith("HTTP/1.1 400 ").contains("SubCode=40000");
    assertThat(api.messages.sent).isEmpty();
  }

  @Test
  @Rule("S-409")
  void anEmptyBatchIsTaken() {
    assertThat(batch("[]")).startsWith("HTTP/1.1 201 ");
    assertThat(api.messages.sent).isEmpty();
  }

  @Test
  void aBatchOfVeryManyOrVeryDeepIsRefused() {
    assertThat(batch("[" + "{},".repeat(10_000) + "{}]")).startsWith("HTTP/1.1 400 ");
    assertThat(batch("[".repeat(100_000))).startsWith("HTTP/1.1 400 ");
    assertThat(batch("[{\"a\":" + "[".repeat(100_000))).startsWith("HTTP/1.1 400 ");
  }
}

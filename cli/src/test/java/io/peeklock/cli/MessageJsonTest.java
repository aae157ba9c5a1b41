package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.junit.jupiter.api.Test;

/** JSON says all of a message, with its types. */
class MessageJsonTest {
  private static String json(Message<?> message) throws Exception {
    try (var encoded = message.toAdvancedMessage().encode(Map.of())) {
      var bytes = new byte[encoded.getReadableBytes()];
      encoded.readBytes(bytes, 0, bytes.length);
      return Json.of(MessageJson.fields(MessageBytes.of(bytes)));
    }
  }

  private static AdvancedMessage<byte[]> text(String body) throws Exception {
    return Message.create(body.getBytes(StandardCharsets.UTF_8)).toAdvancedMessage();
  }

  @Test
  void whatTheBrokerAndTheSenderSayIsThere() throws Exception {
    var message = text("a\"\\\n");
    message
        .messageId("m")
        .groupId("s")
        .subject("red")
        .to("there")
        .replyTo("here")
        .replyToGroupId("back");
    message
        .timeToLive(60_000)
        .correlationId(UUID.fromString("00000000-0000-0000-0000-000000000001"));
    message.annotation("x-opt-sequence-number", 7L).annotation("x-opt-message-state", 2);
    message
        .annotation("x-opt-enqueued-time", Date.from(Instant.ofEpochMilli(0)))
        .annotation("x-opt-partition-key", "p");
    message.annotation("x-opt-deadletter-source", "orders").annotation("mine", 1);

    assertThat(json(message))
        .isEqualTo(
            "{\"sequenceNumber\":7,\"messageId\":\"m\",\"state\":\"scheduled\",\"deliveryCount\":0,"
                + "\"enqueuedTime\":\"1970-01-01T00:00:00Z\",\"deadLetterSource\":\"orders\","
                + "\"partitionKey\":\"p\",\"annotations\":{\"mine\":1},"
                + "\"annotationsTypes\":{\"mine\":\"int\"},\"sessionId\":\"s\",\"subject\":\"red\","
                + "\"correlationId\":\"00000000-0000-0000-0000-000000000001\","
                + "\"correlationIdType\":\"uuid\",\"to\":\"there\",\"replyTo\":\"here\","
                + "\"replyToSessionId\":\"back\",\"timeToLiveMillis\":60000,"
                + "\"bodyType\":\"text\",\"body\":\"a\\\"\\\\\\n\"}");
  }

  @Test
  void propertiesHaveTheirTypes() throws Exception {
    var message = text("");
    message.property("text", "1").property("long", 5L).property("true", true).property("half", 0.5);
    message.property("int", 5).property("two", 2.0).property("nan", Double.NaN);
    message.property("far", Long.MAX_VALUE).property("at", Date.from(Instant.ofEpochMilli(1)));
    message.property(
        "span", new UnknownDescribedType(Symbol.valueOf("com.microsoft:timespan"), 9L));

    assertThat(json(message))
        .contains(
            "\"properties\":{\"text\":\"1\",\"long\":5,\"true\":true,\"half\":0.5,\"int\":5,"
                + "\"two\":2.0,\"nan\":\"NaN\",\"far\":\"9223372036854775807\","
                + "\"at\":\"1970-01-01T00:00:00.001Z\",\"span\":9}")
        .contains(
            "\"propertiesTypes\":{\"int\":\"int\",\"two\":\"double\",\"nan\":\"double\","
                + "\"far\":\"long\",\"at\":\"timestamp\","
                + "\"span\":\"described com.microsoft:timespan\"}");
  }

  @Test
  void aBodySaysWhatItIs() throws Exception {
    assertThat(json(text("grüß"))).endsWith("\"bodyType\":\"text\",\"body\":\"grüß\"}");
    assertThat(json(Message.create(new byte[] {(byte) 0xff, 0})))
        .endsWith("\"bodyType\":\"base64\",\"body\":\"/wA=\"}");
    assertThat(json(Message.create("a value")))
        .endsWith("\"bodyType\":\"string\",\"body\":\"a value\"}");
    assertThat(json(Message.create())).endsWith("\"bodyType\":\"none\"}");
    assertThat(json(Message.create(Map.of("k", List.of(1, new Binary(new byte[1]))))))
        .contains("\"bodyType\":\"amqp\",\"body\":{\"k\":[1,\"AA==\"]},\"bodyAmqp\":\"");
    var parts = Message.<byte[]>create().toAdvancedMessage();
    parts.bodySections(List.of(new Data(new byte[] {65}), new Data(new byte[] {66})));
    assertThat(json(parts)).contains("\"body\":[\"QQ==\",\"Qg==\"]");
    assertThat(
            json(
                Message.create()
                    .body(null)
                    .toAdvancedMessage()
                    .addBodySection(new AmqpValue<>(null))))
        .contains("\"bodyType\":\"amqp\",\"body\":null");
  }

  @Test
  void jsonHoldsNoControlCharacters() throws Exception {
    assertThat(json(Message.create("\u001b\u007f\u009b2J")))
        .endsWith("\"body\":\"\\u001b\\u007f\\u009b2J\"}");
  }
}

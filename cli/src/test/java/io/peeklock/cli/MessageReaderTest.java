package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Decimal128;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.apache.qpid.protonj2.types.messaging.AmqpSequence;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was written as JSON comes back byte by byte. */
class MessageReaderTest {
  private static byte[] bytes(AdvancedMessage<?> message) throws Exception {
    try (var encoded = message.encode(null)) {
      var bytes = new byte[encoded.getReadableBytes()];
      encoded.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  private static void comesBack(AdvancedMessage<?> message) throws Exception {
    message.durable(true);
    var sent = bytes(message);

    var json = Json.of(MessageJson.fields(MessageBytes.of(sent)));
    var read = MessageReader.message(JsonReader.object(json));

    assertThat(bytes(read)).as(json).isEqualTo(sent);
  }

  private static AdvancedMessage<byte[]> text(String body) throws Exception {
    return Message.create(body.getBytes(StandardCharsets.UTF_8)).toAdvancedMessage();
  }

  @Test
  void propertiesOfEveryType() throws Exception {
    var message = text("body");
    List<Object> values =
        Arrays.asList(
            null,
            "t\"\\\u0000\n\ud83d\ude00",
            true,
            5L,
            Long.MIN_VALUE,
            5,
            (short) -1,
            (byte) 1,
            0.1,
            5.0,
            Double.NEGATIVE_INFINITY,
            0.1f,
            Float.NaN,
            UnsignedByte.valueOf((byte) -1),
            UnsignedShort.valueOf((short) -1),
            UnsignedInteger.valueOf(-1),
            UnsignedLong.valueOf(-1L),
            'x',
            Date.from(Instant.ofEpochMilli(-5)),
            new UUID(1, 2),
            new Binary(new byte[] {0, -1}),
            Symbol.valueOf("s"),
            new UnknownDescribedType(Symbol.valueOf("com.microsoft:timespan"), 9L),
            new UnknownDescribedType(Symbol.valueOf("com.microsoft:uri"), "http://x"),
            new UnknownDescribedType(UnsignedLong.valueOf(77), 9L),
            new Decimal128(1, 2));
    for (var i = 0; i < values.size(); i++) {
      message.property("p" + i, values.get(i));
    }

    comesBack(message);
  }

  @Test
  void bodiesOfEveryForm() throws Exception {
    comesBack(text("grüß\r\n\u0000\u2028"));
    comesBack(text(""));
    comesBack(Message.create(new byte[] {(byte) 0xc3, 0x28, 0}).toAdvancedMessage());
    comesBack(Message.create("a string").toAdvancedMessage());
    comesBack(Message.create(7).toAdvancedMessage());
    comesBack(
        Message.create(new LinkedHashMap<>(Map.of("at", Date.from(Instant.ofEpochMilli(1)))))
            .toAdvancedMessage());
    comesBack(Message.create().toAdvancedMessage());
    var parts = Message.create().toAdvancedMessage();
    parts.bodySections(List.of(new Data(new byte[] {65}), new Data(new byte[] {66})));
    comesBack(parts);
    var lists = Message.create().toAdvancedMessage();
    lists.bodySections(List.of(new AmqpSequence<>(List.of(1, "two"))));
    comesBack(lists);
  }

  @Test
  void whatTheSenderSaid() throws Exception {
    var message = text("x");
    message.messageId(new UUID(1, 2)).correlationId(UnsignedLong.valueOf(5)).subject("s").to("t");
    message.replyTo("r").groupId("g").groupSequence(3).replyToGroupId("b").contentType("text/x");
    message.contentEncoding("gzip").userId(new byte[] {1, -1});
    message.priority((byte) 9).timeToLive(5_000);
    message.annotation("x-opt-partition-key", "p").annotation("mine", 1).footer("f", 2);

    comesBack(message);
  }

  @Test
  void whatTheBrokerSaidIsLeft() throws Exception {
    var message = text("x");
    message.annotation("x-opt-sequence-number", 5L).annotation("x-opt-message-state", 1);
    message.annotation("x-opt-enqueued-time", Date.from(Instant.ofEpochMilli(5)));
    var json = Json.of(MessageJson.fields(MessageBytes.of(bytes(message))));

    var read = MessageReader.message(JsonReader.object(json));

    assertThat(read.hasAnnotations()).isFalse();
  }

  @Test
  void aLineByHandIsEnough() throws Exception {
    var read = MessageReader.message(JsonReader.object("{ \"body\" : \"h\\u00e9\" }"));

    assertThat((Object) read.body()).isEqualTo("hé".getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1] | it is no JSON object",
        "{ | it ends too soon",
        "{\"a\":1} x | something stands behind",
        "{\"a\":1,\"a\":2} | is there twice",
        "{\"a\" 1} | there should be a : at character 6",
        "{\"a\":tru} | there is no value",
        "{\"a\":\"\\q\"} | there is no escape",
        "{\"a\":\"\\u12\"} | there are four digits",
      })
  void whatIsNoJsonIsSaid(String line, String sentence) {
    assertThatThrownBy(() -> JsonReader.object(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void jsonThatNestsWithoutAnEndIsSaid() {
    var deep = "{\"a\":" + "[".repeat(1_000_000);

    assertThatThrownBy(() -> JsonReader.object(deep)).hasMessageContaining("nests too deeply");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"body\":3} | \"body\" is no text",
        "{\"bodyType\":\"text\"} | \"body\" is missing",
        "{\"bodyType\":\"xml\",\"body\":\"\"} | bodyType is text, base64,",
        "{\"bodyType\":\"base64\",\"body\":\"*\"} | \"body\" is no base64",
        "{\"properties\":[]} | \"properties\" is no object",
        "{\"properties\":{\"n\":\"x\"},\"propertiesTypes\":{\"n\":\"int\"}} | no value of the AMQP type int",
        "{\"properties\":{\"n\":300},\"propertiesTypes\":{\"n\":\"ubyte\"}} | no value of the AMQP type ubyte",
        "{\"messageId\":\"x\",\"messageIdType\":\"thing\"} | no value of the AMQP type thing",
        "{\"timeToLiveMillis\":\"1\"} | is no whole number",
        "{\"scheduledEnqueueTime\":\"soon\"} | soon",
      })
  void whatIsNoMessageIsSaid(String line, String sentence) {
    assertThatThrownBy(() -> MessageReader.message(JsonReader.object(line)))
        .isInstanceOfSatisfying(
            CliFailure.class, wrong -> assertThat(wrong.exitCode()).isEqualTo(2))
        .hasMessageContaining(sentence);
  }
}

package io.peeklock.cli;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.jspecify.annotations.Nullable;

/**
 * Makes a message to send of the fields that {@link MessageJson} writes. What the broker says, such
 * as numbers and counts, is passed over: the message gets new ones.
 */
final class MessageReader {
  private final Map<String, @Nullable Object> fields;
  private final AdvancedMessage<Object> message;

  private MessageReader(Map<String, @Nullable Object> fields) throws ClientException {
    this.fields = fields;
    this.message = Message.create().toAdvancedMessage();
  }

  /**
   * Reads one.
   *
   * @throws CliFailure when a field is not what it must be
   */
  static AdvancedMessage<?> message(Map<String, @Nullable Object> fields) throws ClientException {
    try {
      return new MessageReader(fields).all();
    } catch (IllegalArgumentException | DateTimeException wrong) {
      throw CliFailure.usage(String.valueOf(wrong.getMessage()));
    }
  }

  private AdvancedMessage<?> all() throws ClientException {
    message.durable(true);
    body();
    message.messageId(typed("messageId"));
    message.correlationId(typed("correlationId"));
    message.groupId(text("sessionId"));
    message.subject(text("subject"));
    message.contentType(text("contentType"));
    message.contentEncoding(text("contentEncoding"));
    message.to(text("to"));
    message.replyTo(text("replyTo"));
    message.replyToGroupId(text("replyToSessionId"));
    var user = text("userId");
    if (user != null) {
      message.userId(bytes("userId", user));
    }
    numbers();
    if (message.properties() != null && message.properties().isEmpty()) {
      message.properties(null);
    }
    annotations();
    for (var property : map(MessageJson.PROPERTIES).entrySet()) {
      message.property(property.getKey(), property.getValue());
    }
    for (var entry : map(MessageJson.FOOTER).entrySet()) {
      message.footer(entry.getKey(), entry.getValue());
    }
    return message;
  }

  private void numbers() throws ClientException {
    if (fields.get("groupSequence") != null) {
      message.groupSequence((int) number("groupSequence"));
    }
    if (fields.get("timeToLiveMillis") != null) {
      message.timeToLive(number("timeToLiveMillis"));
    }
    if (fields.get("priority") != null) {
      message.priority((byte) number("priority"));
    }
  }

  private void annotations() throws ClientException {
    annotation(MessageJson.PARTITION_KEY, text("partitionKey"));
    annotation(MessageJson.VIA_PARTITION_KEY, text("viaPartitionKey"));
    var due = text("scheduledEnqueueTime");
    if (due != null && Instant.parse(due).isAfter(Instant.now())) {
      annotation(MessageJson.SCHEDULED, Date.from(Instant.parse(due)));
    }
    for (var entry : map(MessageJson.ANNOTATIONS).entrySet()) {
      annotation(entry.getKey(), entry.getValue());
    }
  }

  private void annotation(String name, @Nullable Object value) throws ClientException {
    if (value != null) {
      message.annotation(name, value);
    }
  }

  private void body() throws ClientException {
    var body = fields.get(MessageJson.BODY);
    var type = fields.getOrDefault(MessageJson.BODY_TYPE, body == null ? "none" : "text");
    switch (String.valueOf(type)) {
      case "none" -> message.clearBodySections();
      case "text" ->
          message.addBodySection(
              new Data(needed(MessageJson.BODY).getBytes(StandardCharsets.UTF_8)));
      case "base64" ->
          message.addBodySection(new Data(bytes(MessageJson.BODY, needed(MessageJson.BODY))));
      case "string" -> message.addBodySection(new AmqpValue<>(needed(MessageJson.BODY)));
      case "amqp" -> sections(bytes(MessageJson.BODY_AMQP, needed(MessageJson.BODY_AMQP)));
      default ->
          throw new IllegalArgumentException(
              "bodyType is text, base64, string, amqp or none, not \"" + type + "\"");
    }
  }

  private void sections(byte[] encoded) throws ClientException {
    for (var section : MessageBytes.of(encoded).bodySections()) {
      message.addBodySection(section);
    }
  }

  private @Nullable Object typed(String name) {
    return new TypedValue(fields.get(name), text(name + MessageJson.TYPE)).value();
  }

  private Map<String, @Nullable Object> map(String name) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    var types = object(name + MessageJson.TYPES);
    object(name)
        .forEach(
            (key, value) -> {
              var type = types.get(key);
              var typed = new TypedValue(value, type == null ? null : type.toString());
              values.put(String.valueOf(key), typed.value());
            });
    return values;
  }

  private Map<?, ?> object(String name) {
    var value = fields.get(name);
    if (value == null) {
      return Map.of();
    }
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new IllegalArgumentException("\"" + name + "\" is no object");
  }

  private @Nullable String text(String name) {
    var value = fields.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw new IllegalArgumentException("\"" + name + "\" is no text");
  }

  private String needed(String name) {
    var value = text(name);
    if (value == null) {
      throw new IllegalArgumentException("\"" + name + "\" is missing");
    }
    return value;
  }

  private long number(String name) {
    if (fields.get(name) instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException("\"" + name + "\" is no whole number");
  }

  private static byte[] bytes(String name, String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("\"" + name + "\" is no base64", wrong);
    }
  }
}

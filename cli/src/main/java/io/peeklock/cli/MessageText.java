package io.peeklock.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;

/** Messages as lines of text. */
final class MessageText {
  private static final String[] STATES = {"active", "deferred", "scheduled"};

  private MessageText() {}

  /** The body: text as it is, other bytes in base64, other values as their text form. */
  static String body(Message<?> message) throws ClientException {
    Object body = message.body();
    if (body instanceof byte[] bytes) {
      var text = utf8(bytes);
      return text == null ? Base64.getEncoder().encodeToString(bytes) : text;
    }
    return body == null ? "" : body.toString();
  }

  /** Sequence number, state, delivery count and body, parted by tabs. */
  static String line(Message<?> message) throws ClientException {
    return sequenceNumber(message)
        + "\t"
        + state(message)
        + "\t"
        + message.deliveryCount()
        + "\t"
        + body(message);
  }

  static long sequenceNumber(Message<?> message) throws ClientException {
    return message.annotation("x-opt-sequence-number") instanceof Long number ? number : 0;
  }

  private static String state(Message<?> message) throws ClientException {
    var state = message.annotation("x-opt-message-state") instanceof Integer code ? code : 0;
    return state >= 0 && state < STATES.length ? STATES[state] : "state-" + state;
  }

  /** One JSON object with all that is known. */
  static String json(Message<?> message) throws ClientException {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("sequenceNumber", sequenceNumber(message));
    fields.put("messageId", message.messageId());
    fields.put("state", state(message));
    fields.put("deliveryCount", message.deliveryCount());
    fields.put("enqueuedTime", time(message, "x-opt-enqueued-time"));
    fields.put("lockedUntil", time(message, "x-opt-locked-until"));
    fields.put("subject", message.subject());
    fields.put("correlationId", message.correlationId());
    fields.put("contentType", message.contentType());
    fields.put("deadLetterSource", message.annotation("x-opt-deadletter-source"));
    if (message.hasProperties()) {
      var properties = new LinkedHashMap<String, @Nullable Object>();
      message.forEachProperty(properties::put);
      fields.put("properties", properties);
    }
    Object body = message.body();
    var binary = body instanceof byte[] bytes && utf8(bytes) == null;
    fields.values().removeIf(value -> value == null);
    fields.put(binary ? "bodyBase64" : "body", body(message));
    var text = new StringBuilder();
    append(text, fields);
    return text.toString();
  }

  /** The client library hands AMQP timestamps out as plain numbers. */
  private static @Nullable Object time(Message<?> message, String name) throws ClientException {
    var value = message.annotation(name);
    return value instanceof Long millis ? Instant.ofEpochMilli(millis) : value;
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      return null;
    }
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    if (value == null || value instanceof Boolean || isNumber(value)) {
      text.append(value);
    } else if (value instanceof Map<?, ?> map) {
      appendObject(text, map);
    } else if (value instanceof Date date) {
      appendText(text, date.toInstant());
    } else {
      appendText(text, value);
    }
  }

  /** Whether JSON can hold it as a number: it has no NaN and no infinity. */
  private static boolean isNumber(Object value) {
    return value instanceof Number number && Double.isFinite(number.doubleValue());
  }

  private static void appendObject(StringBuilder text, Map<?, ?> map) {
    text.append('{');
    var first = true;
    for (var entry : map.entrySet()) {
      if (!first) {
        text.append(',');
      }
      first = false;
      appendText(text, String.valueOf(entry.getKey()));
      text.append(':');
      append(text, entry.getValue());
    }
    text.append('}');
  }

  private static void appendText(StringBuilder text, Object value) {
    var plain = value.toString();
    text.append('"');
    for (var i = 0; i < plain.length(); i++) {
      var c = plain.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}

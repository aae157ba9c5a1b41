package io.peeklock.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
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
    return Json.of(fields);
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
}

package io.peeklock.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.client.impl.ClientMessageSupport;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.jspecify.annotations.Nullable;

/**
 * A message as the fields of a JSON object: all that is known of it, typed, and so that {@link
 * MessageReader} makes the same message of it. What is not there is left out.
 */
final class MessageJson {
  static final String BODY = "body";
  static final String BODY_TYPE = "bodyType";
  static final String BODY_AMQP = "bodyAmqp";
  static final String ANNOTATIONS = "annotations";
  static final String PROPERTIES = "properties";
  static final String FOOTER = "footer";

  /** Behind the name of a field, that which holds the AMQP types of what JSON is not enough for. */
  static final String TYPE = "Type";

  static final String TYPES = "Types";

  static final String SEQUENCE_NUMBER = "x-opt-sequence-number";
  static final String STATE = "x-opt-message-state";
  static final String ENQUEUED = "x-opt-enqueued-time";
  static final String LOCKED_UNTIL = "x-opt-locked-until";
  static final String DEAD_LETTER_SOURCE = "x-opt-deadletter-source";
  static final String SCHEDULED = "x-opt-scheduled-enqueue-time";
  static final String PARTITION_KEY = "x-opt-partition-key";
  static final String VIA_PARTITION_KEY = "x-opt-via-partition-key";

  /** Annotations that are fields by another name, or the broker's own. */
  static final Set<String> NAMED =
      Set.of(
          SEQUENCE_NUMBER,
          STATE,
          ENQUEUED,
          LOCKED_UNTIL,
          DEAD_LETTER_SOURCE,
          SCHEDULED,
          PARTITION_KEY,
          VIA_PARTITION_KEY,
          "x-opt-enqueue-sequence-number",
          "x-opt-lock-token",
          "x-opt-partition-id");

  private static final List<String> STATES = List.of("active", "deferred", "scheduled");
  private static final long DEFAULT_PRIORITY = 4;

  private final AdvancedMessage<?> message;
  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  private MessageJson(AdvancedMessage<?> message) {
    this.message = message;
  }

  /** All fields, in an order that people like. */
  static Map<String, @Nullable Object> fields(AdvancedMessage<?> message) throws ClientException {
    return new MessageJson(message).all();
  }

  static long sequenceNumber(AdvancedMessage<?> message) throws ClientException {
    return message.annotation(SEQUENCE_NUMBER) instanceof Long number ? number : 0;
  }

  static String state(AdvancedMessage<?> message) throws ClientException {
    var state = message.annotation(STATE) instanceof Integer code ? code : 0;
    return state >= 0 && state < STATES.size() ? STATES.get(state) : "state-" + state;
  }

  private Map<String, @Nullable Object> all() throws ClientException {
    fields.put("sequenceNumber", sequenceNumber(message));
    var properties = message.properties() == null ? new Properties() : message.properties();
    typed("messageId", properties.getMessageId());
    fields.put("state", state(message));
    fields.put("deliveryCount", message.deliveryCount());
    brokers();
    fields.put("sessionId", properties.getGroupId());
    fields.put("subject", properties.getSubject());
    typed("correlationId", properties.getCorrelationId());
    fields.put("contentType", properties.getContentType());
    fields.put("contentEncoding", properties.getContentEncoding());
    fields.put("to", properties.getTo());
    fields.put("replyTo", properties.getReplyTo());
    fields.put("replyToSessionId", properties.getReplyToGroupId());
    rare(properties);
    header(message.header());
    if (message.applicationProperties() != null) {
      map(PROPERTIES, message.applicationProperties().getValue());
    }
    if (message.footer() != null) {
      map(FOOTER, message.footer().getValue());
    }
    fields.values().removeIf(value -> value == null);
    body(List.copyOf(message.bodySections()));
    return fields;
  }

  private void typed(String name, @Nullable Object value) {
    var typed = TypedValue.of(value);
    fields.put(name, typed.json());
    fields.put(name + TYPE, typed.type());
  }

  /** What the broker keeps beside what was sent. */
  private void brokers() throws ClientException {
    fields.put("enqueuedTime", time(message.annotation(ENQUEUED)));
    fields.put("scheduledEnqueueTime", time(message.annotation(SCHEDULED)));
    fields.put("lockedUntil", time(message.annotation(LOCKED_UNTIL)));
    fields.put("enqueuedSequenceNumber", message.annotation("x-opt-enqueue-sequence-number"));
    fields.put("deadLetterSource", message.annotation(DEAD_LETTER_SOURCE));
    fields.put("partitionKey", message.annotation(PARTITION_KEY));
    fields.put("viaPartitionKey", message.annotation(VIA_PARTITION_KEY));
    var others = new LinkedHashMap<Object, Object>();
    if (message.annotations() != null && message.annotations().getValue() != null) {
      others.putAll(message.annotations().getValue());
      others.keySet().removeIf(key -> NAMED.contains(key.toString()));
    }
    map(ANNOTATIONS, others);
  }

  private static @Nullable Object time(@Nullable Object value) {
    return value instanceof Long millis ? Instant.ofEpochMilli(millis) : value;
  }

  private void rare(Properties properties) {
    var user = properties.getUserId();
    fields.put("userId", user == null ? null : base64(user.asByteArray()));
    if (properties.hasGroupSequence()) {
      fields.put("groupSequence", properties.getGroupSequence());
    }
    if (properties.hasCreationTime()) {
      fields.put("creationTime", Instant.ofEpochMilli(properties.getCreationTime()));
    }
    if (properties.hasAbsoluteExpiryTime()) {
      fields.put("expiresAt", Instant.ofEpochMilli(properties.getAbsoluteExpiryTime()));
    }
  }

  private void header(@Nullable Header header) {
    if (header == null) {
      return;
    }
    if (header.hasTimeToLive()) {
      fields.put("timeToLiveMillis", header.getTimeToLive());
    }
    if (header.hasPriority() && header.getPriority() != DEFAULT_PRIORITY) {
      fields.put("priority", (int) header.getPriority());
    }
  }

  private void map(String name, @Nullable Map<?, ?> values) {
    if (values == null || values.isEmpty()) {
      return;
    }
    var texts = new LinkedHashMap<String, @Nullable Object>();
    var types = new LinkedHashMap<String, @Nullable Object>();
    values.forEach(
        (key, value) -> {
          var typed = TypedValue.of(value);
          texts.put(key.toString(), typed.json());
          if (typed.type() != null) {
            types.put(key.toString(), typed.type());
          }
        });
    fields.put(name, texts);
    fields.put(name + TYPES, types.isEmpty() ? null : types);
  }

  private void body(List<Section<?>> sections) {
    if (sections.isEmpty()) {
      fields.put(BODY_TYPE, "none");
    } else if (sections.size() == 1 && sections.getFirst() instanceof Data data) {
      var bytes = data.getBinary() == null ? new byte[0] : data.getBinary().asByteArray();
      var text = utf8(bytes);
      fields.put(BODY_TYPE, text == null ? "base64" : "text");
      fields.put(BODY, text == null ? base64(bytes) : text);
    } else if (sections.size() == 1
        && sections.getFirst() instanceof AmqpValue<?> value
        && value.getValue() instanceof String text) {
      fields.put(BODY_TYPE, "string");
      fields.put(BODY, text);
    } else {
      fields.put(BODY_TYPE, "amqp");
      fields.put(BODY, readable(sections));
      fields.put(BODY_AMQP, base64(encoded(sections)));
    }
  }

  /** For people; what is read back is the encoded form. */
  private static @Nullable Object readable(List<Section<?>> sections) {
    return sections.size() == 1
        ? ReadableValue.of(sections.getFirst().getValue())
        : sections.stream().map(section -> ReadableValue.of(section.getValue())).toList();
  }

  private static byte[] encoded(List<Section<?>> sections) {
    try (var buffer = ProtonBufferAllocator.defaultAllocator().allocate()) {
      sections.forEach(section -> ClientMessageSupport.encodeSection(section, buffer));
      var bytes = new byte[buffer.getReadableBytes()];
      buffer.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Bytes that are text, all of them; null when they are not. */
  static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      return null;
    }
  }
}

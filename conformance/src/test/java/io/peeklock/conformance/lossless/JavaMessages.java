package io.peeklock.conformance.lossless;

import com.azure.core.amqp.models.AmqpAddress;
import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.amqp.models.AmqpMessageBodyType;
import com.azure.core.amqp.models.AmqpMessageId;
import com.azure.core.amqp.models.AmqpMessageProperties;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.jspecify.annotations.Nullable;

/** Messages as the client for Java takes and shows them. */
final class JavaMessages {
  private JavaMessages() {}

  static ServiceBusMessage write(Description message) {
    var made = new ServiceBusMessage(body(message));
    var raw = made.getRawAmqpMessage();
    message.parts().forEach((name, value) -> write(raw, name, value));
    return made;
  }

  private static AmqpMessageBody body(Description message) {
    var parts = message.parts();
    var data = parts.get("data");
    if (data != null) {
      return AmqpMessageBody.fromData(ValueWriter.hex(data.parts().getFirst().text()));
    }
    var sequence = parts.get("sequence");
    if (sequence != null && JavaValues.plain(sequence.parts().getFirst()) instanceof List<?> list) {
      return AmqpMessageBody.fromSequence(objects(list));
    }
    return AmqpMessageBody.fromValue(
        JavaValues.plain(parts.getOrDefault("value", Value.of("string", ""))));
  }

  @SuppressWarnings("unchecked")
  private static List<Object> objects(List<?> list) {
    return (List<Object>) list;
  }

  private static void write(AmqpAnnotatedMessage raw, String name, Value value) {
    var text = value.text();
    switch (name) {
      case "delivery" -> raw.getDeliveryAnnotations().putAll(JavaValues.section(value));
      case "annotations" -> raw.getMessageAnnotations().putAll(JavaValues.section(value));
      case "application" -> raw.getApplicationProperties().putAll(JavaValues.section(value));
      case "footer" -> raw.getFooter().putAll(JavaValues.section(value));
      case "header.durable" -> raw.getHeader().setDurable(Boolean.valueOf(text));
      case "header.priority" -> raw.getHeader().setPriority(Short.valueOf(text));
      case "header.ttl" -> raw.getHeader().setTimeToLive(Duration.ofMillis(Long.parseLong(text)));
      default -> {
        if (name.startsWith("properties.")) {
          write(raw.getProperties(), name.substring(11), text);
        }
      }
    }
  }

  private static void write(AmqpMessageProperties properties, String field, String text) {
    switch (field) {
      case "message-id" -> properties.setMessageId(new AmqpMessageId(text));
      case "user-id" -> properties.setUserId(ValueWriter.hex(text));
      case "to" -> properties.setTo(new AmqpAddress(text));
      case "subject" -> properties.setSubject(text);
      case "reply-to" -> properties.setReplyTo(new AmqpAddress(text));
      case "correlation-id" -> properties.setCorrelationId(new AmqpMessageId(text));
      case "content-type" -> properties.setContentType(text);
      default -> writeMore(properties, field, text);
    }
  }

  private static void writeMore(AmqpMessageProperties properties, String field, String text) {
    switch (field) {
      case "content-encoding" -> properties.setContentEncoding(text);
      case "absolute-expiry-time" -> properties.setAbsoluteExpiryTime(moment(text));
      case "creation-time" -> properties.setCreationTime(moment(text));
      case "group-id" -> properties.setGroupId(text);
      case "group-sequence" -> properties.setGroupSequence(Long.valueOf(text));
      default -> properties.setReplyToGroupId(text);
    }
  }

  private static OffsetDateTime moment(String millis) {
    return Instant.ofEpochMilli(Long.parseLong(millis)).atOffset(ZoneOffset.UTC);
  }

  static Description read(ServiceBusReceivedMessage received) {
    var raw = received.getRawAmqpMessage();
    var parts = new TreeMap<String, Value>();
    readBody(parts, raw.getBody());
    readSection(parts, "delivery", raw.getDeliveryAnnotations());
    readSection(parts, "annotations", raw.getMessageAnnotations());
    readSection(parts, "application", raw.getApplicationProperties());
    readSection(parts, "footer", raw.getFooter());
    var header = raw.getHeader();
    put(parts, "header.durable", header.isDurable());
    var priority = header.getPriority();
    put(
        parts,
        "header.priority",
        priority == null ? null : UnsignedByte.valueOf(priority.byteValue()));
    var ttl = header.getTimeToLive();
    put(parts, "header.ttl", ttl == null ? null : UnsignedInteger.valueOf(ttl.toMillis()));
    readProperties(parts, raw.getProperties());
    return new Description(parts);
  }

  private static void readBody(Map<String, Value> parts, AmqpMessageBody body) {
    if (body.getBodyType() == AmqpMessageBodyType.DATA) {
      parts.put("data", Value.of("list", body.getData().stream().map(JavaValues::seen).toList()));
    } else if (body.getBodyType() == AmqpMessageBodyType.SEQUENCE) {
      parts.put("sequence", Value.of("list", List.of(JavaValues.seen(body.getSequence()))));
    } else {
      parts.put("value", JavaValues.seen(body.getValue()));
    }
  }

  private static void readSection(
      Map<String, Value> parts, String name, Map<String, Object> section) {
    if (!section.isEmpty()) {
      parts.put(name, JavaValues.seen(section));
    }
  }

  private static void readProperties(Map<String, Value> parts, AmqpMessageProperties from) {
    put(parts, "properties.message-id", id(from.getMessageId()));
    put(parts, "properties.user-id", from.getUserId());
    put(parts, "properties.to", address(from.getTo()));
    put(parts, "properties.subject", from.getSubject());
    put(parts, "properties.reply-to", address(from.getReplyTo()));
    put(parts, "properties.correlation-id", id(from.getCorrelationId()));
    put(parts, "properties.content-type", symbol(from.getContentType()));
    put(parts, "properties.content-encoding", symbol(from.getContentEncoding()));
    put(parts, "properties.absolute-expiry-time", from.getAbsoluteExpiryTime());
    put(parts, "properties.creation-time", from.getCreationTime());
    put(parts, "properties.group-id", from.getGroupId());
    var sequence = from.getGroupSequence(); // from 2^31 on negative
    put(
        parts,
        "properties.group-sequence",
        sequence == null ? null : UnsignedInteger.valueOf(sequence.intValue()));
    put(parts, "properties.reply-to-group-id", from.getReplyToGroupId());
  }

  private static @Nullable String id(@Nullable AmqpMessageId id) {
    return id == null ? null : id.toString();
  }

  private static @Nullable String address(@Nullable AmqpAddress address) {
    return address == null ? null : address.toString();
  }

  private static @Nullable Symbol symbol(@Nullable String text) {
    return text == null ? null : Symbol.valueOf(text);
  }

  private static void put(Map<String, Value> parts, String name, @Nullable Object field) {
    if (field != null) {
      parts.put(name, JavaValues.seen(field));
    }
  }
}

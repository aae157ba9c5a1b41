package io.peeklock.http.messages;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.message.TextProperty;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The JSON object that says what the broker and its clients know of a message beside its body
 * (runtime-http.md 4). Members that are unknown are passed over; those of a message that is
 * received are written in the order of their names, without blanks.
 */
final class BrokerProperties {
  private static final Map<String, TextProperty> TEXTS =
      Map.of(
          "MessageId", TextProperty.MESSAGE_ID,
          "CorrelationId", TextProperty.CORRELATION_ID,
          "Label", TextProperty.SUBJECT,
          "To", TextProperty.TO,
          "ReplyTo", TextProperty.REPLY_TO,
          "ReplyToSessionId", TextProperty.REPLY_TO_SESSION_ID,
          "SessionId", TextProperty.SESSION_ID,
          "PartitionKey", TextProperty.PARTITION_KEY);
  private static final String TTL = "TimeToLive";
  private static final String TTL_SPAN = "TimeToLiveTimeSpan";
  private static final String DUE = "ScheduledEnqueueTimeUtc";

  private BrokerProperties() {}

  /** Reads the header of a single message. */
  static void read(String header, MessageDraft into) throws BadRequest {
    try (var json = Json.FACTORY.createParser(HeaderText.meant(header))) {
      Json.expect(json, JsonToken.START_OBJECT, "BrokerProperties must be a JSON object");
      read(json, into, false);
      if (json.nextToken() != null) {
        throw new BadRequest("BrokerProperties must be one JSON object");
      }
    } catch (IOException unreadable) {
      throw Json.unreadable("BrokerProperties", unreadable);
    }
  }

  /**
   * Reads the object that the parser has entered.
   *
   * @param inBatch whether the content type is among its members
   */
  static void read(JsonParser json, MessageDraft into, boolean inBatch)
      throws IOException, BadRequest {
    var span = -1L;
    var seconds = -1L;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      var name = json.currentName();
      if (json.nextToken() == JsonToken.VALUE_NULL) {
        continue;
      }
      var property = TEXTS.get(name);
      if (property != null) {
        into.texts.put(property, Json.text(json, name));
      } else if (name.equals(TTL)) {
        seconds = HttpTimes.ttlMillis(number(json, TTL), TTL);
      } else if (name.equals(TTL_SPAN)) {
        span = HttpTimes.spanMillis(Json.text(json, TTL_SPAN), TTL_SPAN);
      } else if (name.equals(DUE)) {
        into.dueAtMillis = HttpTimes.millis(Json.text(json, DUE), DUE);
      } else if (inBatch && name.equals("ContentType")) {
        into.texts.put(TextProperty.CONTENT_TYPE, Json.text(json, name));
      } else {
        json.skipChildren();
      }
    }
    if (seconds > 0 || span > 0) {
      into.ttlMillis = seconds > 0 ? seconds : span;
    }
  }

  private static double number(JsonParser json, String name) throws IOException, BadRequest {
    if (!json.currentToken().isNumeric()) {
      throw new BadRequest("'" + name + "' must be a number");
    }
    return json.getDoubleValue();
  }

  /** Writes those of a message. */
  static String of(ReceivedMessage message) {
    var members = new TreeMap<String, Object>();
    TEXTS.forEach((name, property) -> putText(members, name, message.texts().get(property)));
    var stored = message.stored();
    putText(members, "DeadLetterSource", stored.deadLetterSource());
    // here the first delivery counts 1.
    members.put("DeliveryCount", stored.failedDeliveries() + 1L);
    members.put("EnqueuedSequenceNumber", stored.enqueuedNumber());
    members.put("EnqueuedTimeUtc", HttpTimes.rfc1123(stored.enqueuedAtMillis()));
    members.put("SequenceNumber", stored.sequenceNumber());
    members.put("State", nameOf(stored.state()));
    members.put(TTL, new RawNumber(HttpTimes.seconds(stored.ttlMillis())));
    if (stored.dueAtMillis() != SendBurst.AT_ONCE) {
      members.put(DUE, HttpTimes.rfc1123(stored.dueAtMillis()));
    }
    var lock = message.lock();
    if (lock != null) {
      members.put("LockToken", lock.token().toString());
      members.put("LockedUntilUtc", HttpTimes.rfc1123(lock.untilMillis()));
    }
    return json(members);
  }

  /** A number that must be written just so. */
  private record RawNumber(String digits) {}

  private static void putText(
      Map<String, Object> members, String name, @org.jspecify.annotations.Nullable String text) {
    if (text != null) {
      members.put(name, text);
    }
  }

  private static String nameOf(MessageState state) {
    return switch (state) {
      case ACTIVE -> "Active";
      case DEFERRED -> "Deferred";
      case SCHEDULED -> "Scheduled";
    };
  }

  private static String json(Map<String, Object> members) {
    var out = new StringWriter(512);
    try (var json = Json.FACTORY.createGenerator(out)) {
      json.writeStartObject();
      for (var member : members.entrySet()) {
        json.writeFieldName(member.getKey());
        switch (member.getValue()) {
          case Long number -> json.writeNumber(number);
          case RawNumber number -> json.writeNumber(number.digits());
          default -> json.writeString(member.getValue().toString());
        }
      }
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toString();
  }
}

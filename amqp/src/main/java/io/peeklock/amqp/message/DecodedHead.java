package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpChar;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Decimal;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.filter.PlainDecimals;
import io.peeklock.runtime.message.TextProperty;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is before the body of a message as a receiver gets it, in values of no wire (S-084). */
public final class DecodedHead {
  private static final TextProperty[] BY_FIELD = new TextProperty[13];
  private static final int TICKS_PER_MILLI = 10_000;

  /** 1970 in ticks since the year 1, as .NET counts. */
  private static final long EPOCH_TICKS = 621_355_968_000_000_000L;

  static {
    BY_FIELD[0] = TextProperty.MESSAGE_ID;
    BY_FIELD[2] = TextProperty.TO;
    BY_FIELD[3] = TextProperty.SUBJECT;
    BY_FIELD[4] = TextProperty.REPLY_TO;
    BY_FIELD[5] = TextProperty.CORRELATION_ID;
    BY_FIELD[6] = TextProperty.CONTENT_TYPE;
    BY_FIELD[10] = TextProperty.SESSION_ID;
    BY_FIELD[12] = TextProperty.REPLY_TO_SESSION_ID;
  }

  public final Map<TextProperty, String> texts = new EnumMap<>(TextProperty.class);
  public final Map<String, Object> applicationProperties = new LinkedHashMap<>();
  public long dueAtMillis;
  public int bodyAt;

  /**
   * Reads a message up to its body.
   *
   * @param written as {@link DeliveryWriter} wrote it; of a large one the beginning
   */
  public static DecodedHead of(ByteBuf written) {
    var head = new DecodedHead();
    var reader = new AmqpReader();
    var end = written.writerIndex();
    var at = written.readerIndex();
    while (at < end) {
      reader.reset(written, at, end - at);
      var section = reader.readDescriptor();
      if (section >= Descriptor.DATA) {
        break;
      }
      head.take(section, reader);
      at = reader.position();
    }
    head.bodyAt = at;
    return head;
  }

  private void take(long section, AmqpReader reader) {
    if (section == Descriptor.MESSAGE_ANNOTATIONS) {
      takeAnnotations(AmqpValues.decodeFlatTextMap(reader));
    } else if (section == Descriptor.PROPERTIES) {
      takeProperties(reader);
    } else if (section == Descriptor.APPLICATION_PROPERTIES) {
      AmqpValues.decodeFlatTextMap(reader)
          .forEach(
              (name, value) -> {
                var neutral = neutral(value);
                if (neutral != null) {
                  applicationProperties.put(name, neutral);
                }
              });
    } else {
      reader.skip();
    }
  }

  private void takeAnnotations(Map<String, @Nullable Object> annotations) {
    if (annotations.get("x-opt-scheduled-enqueue-time") instanceof Timestamp due) {
      dueAtMillis = Math.max(0, due.epochMillis());
    }
    put(TextProperty.PARTITION_KEY, annotations.get("x-opt-partition-key"));
  }

  private void takeProperties(AmqpReader reader) {
    var count = reader.enterList();
    for (var field = 0; field < count; field++) {
      var property = field < BY_FIELD.length ? BY_FIELD[field] : null;
      if (property == null) {
        reader.skip();
      } else {
        put(property, AmqpValues.decodeFlat(reader));
      }
    }
  }

  /** Message ids may be numbers, uuids or binaries too. */
  private void put(TextProperty property, @Nullable Object value) {
    var text =
        switch (value) {
          case null -> null;
          case byte[] bytes -> HexFormat.of().formatHex(bytes);
          case Unsigned number -> Long.toUnsignedString(number.value());
          case Symbol symbol -> symbol.text();
          case Described unknown -> null;
          default -> value.toString();
        };
    if (text != null) {
      texts.put(property, text);
    }
  }

  /** A value without the wire's types; null for what has none. */
  private static @Nullable Object neutral(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Byte number -> number.longValue();
      case Short number -> number.longValue();
      case Integer number -> number.longValue();
      case Unsigned.Ulong number -> unsigned(number.value());
      case Unsigned number -> number.value();
      case Timestamp time -> Instant.ofEpochMilli(time.epochMillis());
      case Symbol symbol -> symbol.text();
      case AmqpChar character -> text(character.codePoint());
      case Decimal decimal -> PlainDecimals.of(decimal);
      case Described described -> described(described);
      case Boolean truth -> truth;
      case String text -> text;
      case Long number -> number;
      case Float number -> number;
      case Double number -> number;
      case UUID uuid -> uuid;
      case byte[] bytes -> bytes;
      default -> null;
    };
  }

  private static Object unsigned(long bits) {
    return bits >= 0 ? (Object) bits : new BigInteger(Long.toUnsignedString(bits));
  }

  private static @Nullable String text(int codePoint) {
    return Character.isValidCodePoint(codePoint) ? Character.toString(codePoint) : null;
  }

  /** The types of .NET that its client puts into application properties (amqp.md 4.2). */
  private static @Nullable Object described(Described value) {
    var name = value.descriptor() instanceof Symbol symbol ? symbol.text() : "";
    if (value.value() instanceof Long ticks) {
      return switch (name) {
        case "com.microsoft:timespan" -> Duration.ofMillis(ticks / TICKS_PER_MILLI);
        case "com.microsoft:datetime-offset" ->
            Instant.ofEpochMilli((ticks - EPOCH_TICKS) / TICKS_PER_MILLI);
        default -> null;
      };
    }
    return name.equals("com.microsoft:uri") && value.value() instanceof String uri ? uri : null;
  }
}

package io.peeklock.cli;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.UUID;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.DescribedType;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.jspecify.annotations.Nullable;

/**
 * A value as JSON has it, and the AMQP type of it where JSON alone would be read as another: a text
 * is a string, a whole number a long, any other number a double.
 *
 * @param json a text, a number, a truth or null
 * @param type what AMQP calls it, {@code described SYMBOL [TYPE]}, or {@code amqp} for the encoded
 *     bytes in base64; null where JSON says it all
 */
record TypedValue(@Nullable Object json, @Nullable String type) {
  private static final String AMQP = "amqp";
  private static final String DESCRIBED = "described ";

  /** The most that each program that reads JSON can tell from its neighbours. */
  private static final long MOST_EXACT = 1L << 53;

  /** That of what the client library decoded. */
  static TypedValue of(@Nullable Object value) {
    return switch (value) {
      case null -> new TypedValue(null, null);
      case String text -> new TypedValue(text, null);
      case Boolean truth -> new TypedValue(truth, null);
      case Number number -> number(number);
      default -> other(value);
    };
  }

  private static TypedValue number(Number value) {
    return switch (value) {
      case Long number -> whole(number);
      case Double number -> fraction(number);
      case Integer number -> new TypedValue(number, "int");
      case Short number -> new TypedValue(number, "short");
      case Byte number -> new TypedValue(number, "byte");
      case Float number -> new TypedValue(finite(number), "float");
      case UnsignedByte number -> new TypedValue(number.intValue(), "ubyte");
      case UnsignedShort number -> new TypedValue(number.intValue(), "ushort");
      case UnsignedInteger number -> new TypedValue(number.longValue(), "uint");
      case UnsignedLong number -> unsigned(number.bigIntegerValue());
      default -> encoded(value);
    };
  }

  private static Object finite(Float number) {
    return Float.isFinite(number) ? number : number.toString();
  }

  private static TypedValue other(Object value) {
    return switch (value) {
      case Character letter -> new TypedValue(letter.toString(), "char");
      case Date time -> new TypedValue(time.toInstant().toString(), "timestamp");
      case UUID id -> new TypedValue(id.toString(), "uuid");
      case Symbol symbol -> new TypedValue(symbol.toString(), "symbol");
      case Binary bytes -> new TypedValue(base64(bytes.asByteArray()), "binary");
      case DescribedType described -> described(described);
      default -> encoded(value);
    };
  }

  private static TypedValue whole(Long number) {
    return Math.abs(number) <= MOST_EXACT && number != Long.MIN_VALUE
        ? new TypedValue(number, null)
        : new TypedValue(number.toString(), "long");
  }

  private static TypedValue unsigned(BigInteger number) {
    return number.bitLength() > 53
        ? new TypedValue(number.toString(), "ulong")
        : new TypedValue(number.longValue(), "ulong");
  }

  /** Programs that rewrite JSON make a whole number of 5.0. */
  private static TypedValue fraction(Double number) {
    if (number.isNaN() || number.isInfinite()) {
      return new TypedValue(number.toString(), "double");
    }
    return new TypedValue(number, number == Math.rint(number) ? "double" : null);
  }

  private static TypedValue described(DescribedType value) {
    var inner = of(value.getDescribed());
    if (value.getDescriptor() instanceof Symbol name
        && !name.toString().contains(" ")
        && !AMQP.equals(inner.type)) {
      return new TypedValue(
          inner.json, DESCRIBED + name + (inner.type == null ? "" : " " + inner.type));
    }
    return encoded(value);
  }

  private static TypedValue encoded(Object value) {
    return new TypedValue(base64(encode(value)), AMQP);
  }

  private static byte[] encode(Object value) {
    var encoder = CodecFactory.getEncoder();
    try (var buffer = ProtonBufferAllocator.defaultAllocator().allocate()) {
      encoder.writeObject(buffer, encoder.newEncoderState(), value);
      var bytes = new byte[buffer.getReadableBytes()];
      buffer.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * What the client library encodes.
   *
   * @throws CliFailure when the type is unknown, or JSON has something that is not of it
   */
  @Nullable Object value() {
    try {
      return type == null ? untyped() : typed(type);
    } catch (IllegalArgumentException | DateTimeException wrong) {
      throw CliFailure.usage("\"" + json + "\" is no value of the AMQP type " + type);
    }
  }

  private @Nullable Object untyped() {
    if (json instanceof Long || json instanceof Double || json instanceof Boolean) {
      return json;
    }
    if (json == null || json instanceof String) {
      return json;
    }
    if (json instanceof Integer number) {
      return number.longValue();
    }
    throw new IllegalArgumentException("a list, an object, or too large");
  }

  private @Nullable Object typed(String name) {
    var text = String.valueOf(json);
    return switch (name) {
      case "int" -> Integer.valueOf(text);
      case "long" -> Long.valueOf(text);
      case "short" -> Short.valueOf(text);
      case "byte" -> Byte.valueOf(text);
      case "double" -> Double.valueOf(text);
      case "float" -> Float.valueOf(text);
      case "string" -> text;
      case "boolean" -> truth(text);
      case "ubyte", "ushort", "uint", "ulong" -> unsigned(name, text);
      default -> special(name, text);
    };
  }

  private static Boolean truth(String text) {
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw new IllegalArgumentException("neither");
  }

  private static Object unsigned(String name, String text) {
    var number = new BigInteger(text);
    var bits =
        switch (name) {
          case "ubyte" -> Byte.SIZE;
          case "ushort" -> Short.SIZE;
          case "uint" -> Integer.SIZE;
          default -> Long.SIZE;
        };
    if (number.signum() < 0 || number.bitLength() > bits) {
      throw new IllegalArgumentException("out of range");
    }
    return switch (name) {
      case "ubyte" -> UnsignedByte.valueOf(number.byteValue());
      case "ushort" -> UnsignedShort.valueOf(number.shortValue());
      case "uint" -> UnsignedInteger.valueOf(number.intValue());
      default -> UnsignedLong.valueOf(number.longValue());
    };
  }

  private @Nullable Object special(String name, String text) {
    if (name.startsWith(DESCRIBED)) {
      var words = name.substring(DESCRIBED.length()).split(" ", 2);
      var inner = new TypedValue(json, words.length > 1 ? words[1] : null);
      return new UnknownDescribedType(Symbol.valueOf(words[0]), inner.value());
    }
    return switch (name) {
      case "char" -> letter(text);
      case "timestamp" -> Date.from(Instant.parse(text));
      case "uuid" -> UUID.fromString(text);
      case "symbol" -> Symbol.valueOf(text);
      case "binary" -> new Binary(Base64.getDecoder().decode(text));
      case AMQP -> MessageBytes.value(Base64.getDecoder().decode(text));
      default -> throw new IllegalArgumentException("unknown");
    };
  }

  private static Character letter(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException("not one letter");
    }
    return text.charAt(0);
  }
}

package io.peeklock.http.admin.rules;

import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.atom.XmlNamespaces;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A value with its type (admin-http.md 7.2). What came is shown again with the same type, under the
 * prefix that every client reads.
 */
final class TypedValue {
  private static final long TICKS_PER_SECOND = 10_000_000;
  private static final int MAX_DECIMAL = 100;
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private TypedValue() {}

  /**
   * Reads one.
   *
   * @param key of what, for errors
   * @throws Problem when the type is unknown, or the text is none of that type
   */
  static FilterValue read(String key, XmlNode given) {
    if (given.nil()) {
      return FilterValue.ofNull();
    }
    var type = given.type() == null ? "string" : given.type();
    try {
      return parsed(type, given);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException wrong) {
      throw Problem.bad("The value of '" + shown(key) + "' is not of the type " + shown(type));
    }
  }

  private static String shown(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "…" : text;
  }

  private static FilterValue parsed(String type, XmlNode given) {
    var text = given.value();
    var into = new FilterValue();
    return switch (type) {
      case "string", "char", "anyURI" -> into.setText(given.text());
      case "boolean" -> into.setBoolean(truth(text));
      case "byte" -> whole(into, ValueType.BYTE, text);
      case "short" -> whole(into, ValueType.SHORT, text);
      case "int" -> integer(into, Long.parseLong(text));
      case "long" -> whole(into, ValueType.LONG, text);
      case "unsignedByte" -> whole(into, ValueType.UBYTE, text);
      case "unsignedShort" -> whole(into, ValueType.USHORT, text);
      case "unsignedInt" -> whole(into, ValueType.UINT, text);
      case "unsignedLong" -> into.setUnsigned(Long.parseUnsignedLong(text));
      case "float" -> into.setFloat((float) fraction(text));
      case "double" -> into.setDouble(fraction(text));
      case "decimal" -> into.setDecimal(decimal(text));
      case "dateTime" -> into.setTimestampTicks(timestamp(text));
      case "duration" -> into.setDurationTicks(duration(text));
      case "guid" -> guid(into, UUID.fromString(text));
      case "base64Binary" -> {
        var bytes = Base64.getMimeDecoder().decode(text);
        yield into.setBinary(bytes, 0, bytes.length);
      }
      default -> throw new IllegalArgumentException("a type that filters do not compare");
    };
  }

  private static boolean truth(String text) {
    return switch (text) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  private static FilterValue whole(FilterValue into, ValueType type, String text) {
    return into.setWhole(type, Long.parseLong(text));
  }

  /** One client calls every whole number an int, also those that are none. */
  private static FilterValue integer(FilterValue into, long number) {
    var isInt = number >= Integer.MIN_VALUE && number <= Integer.MAX_VALUE;
    return into.setWhole(isInt ? ValueType.INT : ValueType.LONG, number);
  }

  private static double fraction(String text) {
    return switch (text) {
      case "INF" -> Double.POSITIVE_INFINITY;
      case "-INF" -> Double.NEGATIVE_INFINITY;
      case "NaN" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  /** Without exponents, as XML Schema has it, so that a short text is no giant number. */
  private static BigDecimal decimal(String text) {
    if (text.length() > MAX_DECIMAL || text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
      throw new IllegalArgumentException("no decimal");
    }
    return new BigDecimal(text);
  }

  private static long timestamp(String text) {
    var instant =
        hasZone(text)
            ? OffsetDateTime.parse(text).toInstant()
            : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), TICKS_PER_SECOND), instant.getNano() / 100);
  }

  private static boolean hasZone(String text) {
    var time = text.indexOf('T');
    return time >= 0
        && (text.endsWith("Z") || text.indexOf('+', time) >= 0 || text.indexOf('-', time) >= 0);
  }

  private static long duration(String text) {
    var duration = Duration.parse(text);
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), TICKS_PER_SECOND), duration.getNano() / 100);
  }

  private static FilterValue guid(FilterValue into, UUID guid) {
    return into.setGuid(guid.getMostSignificantBits(), guid.getLeastSignificantBits());
  }

  /** How a time was written, where it is not written so again; null for all else. */
  static @Nullable String spelling(XmlNode given) {
    if (given.nil() || !"dateTime".equals(given.type())) {
      return null;
    }
    var text = given.value();
    return text.equals(TIMESTAMP.format(instant(timestamp(text)))) ? null : text;
  }

  /**
   * Writes one, as the element {@code Value}.
   *
   * @param spelling how it was written; null for the usual form
   */
  static void write(FilterValue value, @Nullable String spelling, AtomWriter out) {
    out.open("Value");
    switch (value.type()) {
      case NULL, MISSING, OTHER -> out.attribute("i:nil", "true");
      default -> {
        var type = type(value.type());
        var odd = type.equals("duration") || type.equals("guid"); // bound to .NET's own types
        out.attribute("i:type", "d6p1:" + type)
            .attribute("xmlns:d6p1", odd ? XmlNamespaces.SERIALIZATION : XmlNamespaces.SCHEMA)
            .text(spelling == null ? text(value) : spelling);
      }
    }
    out.close();
  }

  private static String type(ValueType type) {
    return switch (type) {
      case BOOLEAN -> "boolean";
      case BYTE -> "byte";
      case SHORT -> "short";
      case INT -> "int";
      case LONG -> "long";
      case UBYTE -> "unsignedByte";
      case USHORT -> "unsignedShort";
      case UINT -> "unsignedInt";
      case ULONG -> "unsignedLong";
      case FLOAT -> "float";
      case DOUBLE -> "double";
      case DECIMAL -> "decimal";
      case TIMESTAMP -> "dateTime";
      case DURATION -> "duration";
      case GUID -> "guid";
      case BINARY -> "base64Binary";
      case TEXT, NULL, MISSING, OTHER -> "string";
    };
  }

  private static String text(FilterValue value) {
    return switch (value.type()) {
      case BOOLEAN -> Boolean.toString(value.truth());
      case FLOAT -> fraction(value.asDouble(), Float.toString((float) value.asDouble()));
      case DOUBLE -> fraction(value.asDouble(), Double.toString(value.asDouble()));
      case DECIMAL -> value.asDecimal().toPlainString();
      case TIMESTAMP -> TIMESTAMP.format(instant(value.ticks()));
      case DURATION -> duration(value.ticks());
      case GUID -> new UUID(value.mostSignificantBits(), value.leastSignificantBits()).toString();
      case BINARY -> Base64.getEncoder().encodeToString(value.toBytes());
      case TEXT -> value.text();
      default -> BigInteger.valueOf(value.whole()).toString();
    };
  }

  private static String fraction(double value, String finite) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    return Double.isInfinite(value) ? (value > 0 ? "INF" : "-INF") : finite;
  }

  private static Instant instant(long ticks) {
    return Instant.ofEpochSecond(
        Math.floorDiv(ticks, TICKS_PER_SECOND), Math.floorMod(ticks, TICKS_PER_SECOND) * 100);
  }

  /** With days, as .NET writes it. */
  private static String duration(long ticks) {
    var negative = ticks < 0;
    var duration =
        Duration.ofSeconds(ticks / TICKS_PER_SECOND, ticks % TICKS_PER_SECOND * 100).abs();
    var days = duration.toDays();
    var rest = duration.minusDays(days);
    var date = days == 0 ? "P" : "P" + days + "D";
    var time = rest.isZero() && days > 0 ? "" : rest.toString().substring(1);
    return (negative ? "-" : "") + date + time;
  }
}

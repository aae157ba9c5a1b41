package io.peeklock.conformance.lossless;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.jspecify.annotations.Nullable;

/** Values as the client for Java takes and shows them. */
final class JavaValues {
  private JavaValues() {}

  static @Nullable Object plain(Value value) {
    var text = value.text();
    return switch (value.type()) {
      case "null" -> null;
      case "boolean" -> Boolean.valueOf(text);
      case "string" -> text;
      case "symbol" -> Symbol.valueOf(text);
      case "binary" -> new Binary(ValueWriter.hex(text));
      case "uuid" -> UUID.fromString(text);
      case "timestamp" -> Date.from(Instant.ofEpochMilli(Long.parseLong(text)));
      case "char" -> (char) Integer.parseInt(text);
      case "list" -> list(value.parts());
      case "map" -> map(value);
      default -> number(value.type(), text);
    };
  }

  private static Object number(String type, String text) {
    return switch (type) {
      case "ubyte" -> UnsignedByte.valueOf((byte) Short.parseShort(text));
      case "ushort" -> UnsignedShort.valueOf((short) Integer.parseInt(text));
      case "uint" -> UnsignedInteger.valueOf(Long.parseLong(text));
      case "ulong" -> UnsignedLong.valueOf(text);
      case "byte" -> Byte.valueOf(text);
      case "short" -> Short.valueOf(text);
      case "int" -> Integer.valueOf(text);
      case "long" -> Long.valueOf(text);
      default -> bits(type, ByteBuffer.wrap(ValueWriter.hex(text)));
    };
  }

  private static Object bits(String type, ByteBuffer bits) {
    return switch (type) {
      case "float" -> bits.getFloat();
      case "double" -> bits.getDouble();
      case "decimal32" -> new Decimal32(bits.getInt());
      case "decimal64" -> new Decimal64(bits.getLong());
      case "decimal128" -> new Decimal128(bits.getLong(), bits.getLong());
      default -> throw new IllegalArgumentException("no Java type for " + type);
    };
  }

  private static List<@Nullable Object> list(List<Value> parts) {
    var list = new ArrayList<@Nullable Object>();
    parts.forEach(part -> list.add(plain(part)));
    return list;
  }

  private static Map<Object, @Nullable Object> map(Value value) {
    var map = new LinkedHashMap<Object, @Nullable Object>();
    for (var i = 0; i < value.parts().size(); i += 2) {
      map.put(String.valueOf(plain(value.parts().get(i))), plain(value.parts().get(i + 1)));
    }
    return map;
  }

  static Map<String, @Nullable Object> section(Value value) {
    var section = new LinkedHashMap<String, @Nullable Object>();
    for (var i = 0; i < value.parts().size(); i += 2) {
      section.put(value.parts().get(i).text(), plain(value.parts().get(i + 1)));
    }
    return section;
  }

  static Value seen(@Nullable Object shown) {
    return switch (shown) {
      case null -> Value.of("null", "");
      case Boolean truth -> Value.of("boolean", truth.toString());
      case String text -> Value.of("string", text);
      case Symbol symbol -> Value.of("symbol", symbol.toString());
      case byte[] octets -> Value.of("binary", HexFormat.of().formatHex(octets));
      case Binary binary -> seen(binary.asByteBuffer());
      case ByteBuffer buffer -> {
        var octets = new byte[buffer.remaining()];
        buffer.get(octets);
        yield seen(octets);
      }
      case UUID id -> Value.of("uuid", id.toString());
      case Date date -> Value.of("timestamp", Long.toString(date.toInstant().toEpochMilli()));
      case OffsetDateTime time ->
          Value.of("timestamp", Long.toString(time.toInstant().toEpochMilli()));
      case Character letter -> Value.of("char", Integer.toString(letter));
      case List<?> list -> Value.of("list", list.stream().map(JavaValues::seen).toList());
      case Map<?, ?> map -> seenMap(map);
      default -> seenNumber(shown);
    };
  }

  private static Value seenMap(Map<?, ?> map) {
    var parts = new ArrayList<Value>();
    map.forEach(
        (key, value) -> {
          parts.add(seen(key));
          parts.add(seen(value));
        });
    return Value.of("map", parts);
  }

  private static Value seenNumber(Object shown) {
    return switch (shown) {
      case UnsignedByte number -> Value.of("ubyte", Integer.toString(number.intValue()));
      case UnsignedShort number -> Value.of("ushort", Integer.toString(number.intValue()));
      case UnsignedInteger number -> Value.of("uint", Long.toString(number.longValue()));
      case UnsignedLong number -> Value.of("ulong", number.bigIntegerValue().toString());
      case Byte number -> Value.of("byte", number.toString());
      case Short number -> Value.of("short", number.toString());
      case Integer number -> Value.of("int", number.toString());
      case Long number -> Value.of("long", number.toString());
      case Float number ->
          Value.of("float", HexFormat.of().toHexDigits(Float.floatToRawIntBits(number)));
      case Double number ->
          Value.of("double", HexFormat.of().toHexDigits(Double.doubleToRawLongBits(number)));
      default -> Value.of(shown.getClass().getName(), shown.toString());
    };
  }
}

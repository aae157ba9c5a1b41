package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts encoded values to Java objects and back, for bodies, filters and infos off the hot path.
 *
 * <p>AMQP to Java: null, {@code boolean} Boolean, the signed integers Byte, Short, Integer, Long,
 * the unsigned ones {@link Unsigned}, {@code float} Float, {@code double} Double, decimals {@link
 * Decimal}, {@code char} {@link AmqpChar}, {@code timestamp} {@link Timestamp}, {@code uuid} UUID,
 * {@code binary} byte[], {@code string} String, {@code symbol} {@link Symbol}, {@code list} List,
 * {@code map} Map in the order of the wire with keys of primitive types only, {@code array} {@link
 * TypedArray}, described values {@link Described}. The same Java types are encoded as the types
 * that they came from.
 */
public final class AmqpValues {
  private AmqpValues() {}

  /**
   * Decodes the next value, after {@link ValueCheck} has found it bounded.
   *
   * @throws AmqpDecodeException when the bytes are malformed or ask for more memory than the budget
   */
  public static @Nullable Object decode(AmqpReader reader) {
    requireBounded(reader);
    return value(reader);
  }

  /**
   * Decodes a map whose keys are texts, as strings or symbols alike (JavaScript and Python send
   * strings where others send symbols); null gives an empty map.
   *
   * @throws AmqpDecodeException when it is not such a map
   */
  public static Map<String, @Nullable Object> decodeTextMap(AmqpReader reader) {
    requireBounded(reader);
    var map = new LinkedHashMap<String, @Nullable Object>();
    if (reader.readNull()) {
      return map;
    }
    for (int left = reader.enterMap(); left > 0; left -= 2) {
      String key = reader.readText();
      if (key == null) {
        throw new AmqpDecodeException("a map has a null key");
      }
      map.put(key, value(reader));
    }
    return map;
  }

  /**
   * The entries of a map of any form whose keys are texts, with null for values that are lists,
   * maps or arrays, however described. For bytes that were accepted earlier and can no longer be
   * refused: entries that a text map cannot have are left out, and not decoded.
   *
   * @throws AmqpDecodeException when it is no map, or malformed
   */
  public static Map<String, @Nullable Object> decodeFlatTextMap(AmqpReader reader) {
    requireWellFormed(reader);
    var map = new LinkedHashMap<String, @Nullable Object>();
    if (reader.readNull()) {
      return map;
    }
    for (int left = reader.enterMap(); left > 0; left -= 2) {
      String key = textOrNull(reader);
      Object value = flat(reader);
      if (key != null) {
        map.put(key, value);
      }
    }
    return map;
  }

  /**
   * As {@link #decode}, with null for a list, a map or an array, however described: nothing is
   * built of it.
   *
   * @throws AmqpDecodeException when the bytes are malformed
   */
  public static @Nullable Object decodeFlat(AmqpReader reader) {
    requireWellFormed(reader);
    return flat(reader);
  }

  private static @Nullable String textOrNull(AmqpReader reader) {
    if (FormatCode.isText(reader.peekCode())) {
      return reader.readText();
    }
    reader.skip();
    return null;
  }

  private static @Nullable Object flat(AmqpReader reader) {
    int at = reader.position();
    int code = reader.nextCode();
    while (code == FormatCode.DESCRIBED) {
      reader.skip();
      code = reader.nextCode();
    }
    reader.position(at);
    boolean compound = FormatCode.isListOrMap(code) || FormatCode.isArray(code);
    if (compound || code == FormatCode.LIST0) {
      reader.skip();
      return null;
    }
    return value(reader);
  }

  /**
   * Writes a value of the types above.
   *
   * @throws IllegalArgumentException for any other Java type
   */
  public static void encode(ByteBuf out, @Nullable Object value) {
    switch (value) {
      case null -> AmqpWriter.writeNull(out);
      case String text -> AmqpWriter.writeString(out, text);
      case Symbol symbol -> AmqpWriter.writeSymbol(out, symbol.text());
      case byte[] bytes -> AmqpWriter.writeBinary(out, bytes);
      case Boolean truth -> AmqpWriter.writeBoolean(out, truth);
      case UUID uuid -> AmqpWriter.writeUuid(out, uuid);
      case Timestamp timestamp -> AmqpWriter.writeTimestamp(out, timestamp.epochMillis());
      case AmqpChar character -> AmqpWriter.writeChar(out, character.codePoint());
      case Number number -> encodeNumber(out, number);
      case Unsigned unsigned -> encodeUnsigned(out, unsigned);
      case Decimal decimal -> encodeDecimal(out, decimal);
      case List<?> list -> encodeList(out, list);
      case Map<?, ?> map -> encodeMap(out, map);
      case TypedArray array -> ArrayWriter.write(out, array);
      case Described described -> encodeDescribed(out, described);
      default -> throw new IllegalArgumentException("no AMQP type for " + value.getClass());
    }
  }

  /** Writes a map with symbols for keys (annotations, link properties, filters, error info). */
  public static void encodeSymbolMap(ByteBuf out, Map<String, ? extends @Nullable Object> map) {
    if (writeEmptyMap(out, map)) {
      return;
    }
    int mark = AmqpWriter.beginMap(out);
    map.forEach(
        (key, value) -> {
          AmqpWriter.writeSymbol(out, key);
          encode(out, value);
        });
    AmqpWriter.endMap(out, mark, 2 * map.size());
  }

  /** Writes a map with strings for keys (management bodies, application properties). */
  public static void encodeStringMap(ByteBuf out, Map<String, ? extends @Nullable Object> map) {
    encodeMap(out, map);
  }

  private static void requireBounded(AmqpReader reader) {
    var check = new ValueCheck();
    check.start(reader.end() - reader.position());
    if (check.check(reader.buffer(), reader.position(), reader.end()) < 0) {
      throw new AmqpDecodeException(check.problem());
    }
  }

  private static void requireWellFormed(AmqpReader reader) {
    var check = new ValueCheck();
    if (check.checkStructure(reader.buffer(), reader.position(), reader.end()) < 0) {
      throw new AmqpDecodeException(check.problem());
    }
  }

  private static @Nullable Object value(AmqpReader reader) {
    int code = reader.nextCode();
    return code == FormatCode.DESCRIBED ? described(reader) : content(reader, code);
  }

  private static Described described(AmqpReader reader) {
    Object descriptor = present(value(reader));
    return new Described(descriptor, value(reader));
  }

  /** Decodes what follows a constructor. */
  private static @Nullable Object content(AmqpReader reader, int code) {
    return switch (code) {
      case FormatCode.NULL -> null;
      case FormatCode.BOOLEAN_TRUE -> true;
      case FormatCode.BOOLEAN_FALSE -> false;
      case FormatCode.BOOLEAN -> reader.next1() != 0;
      case FormatCode.LIST0, FormatCode.LIST8, FormatCode.LIST32 -> list(reader, code);
      case FormatCode.MAP8, FormatCode.MAP32 -> map(reader, code);
      case FormatCode.ARRAY8, FormatCode.ARRAY32 -> array(reader, code);
      case FormatCode.FLOAT -> Float.intBitsToFloat(reader.next4());
      case FormatCode.DOUBLE -> Double.longBitsToDouble(reader.next8());
      case FormatCode.CHAR -> new AmqpChar(reader.next4());
      case FormatCode.TIMESTAMP -> new Timestamp(reader.next8());
      case FormatCode.UUID -> new UUID(reader.next8(), reader.next8());
      case FormatCode.DECIMAL32 -> new Decimal.Decimal32(reader.next4());
      case FormatCode.DECIMAL64 -> new Decimal.Decimal64(reader.next8());
      case FormatCode.DECIMAL128 -> new Decimal.Decimal128(reader.next8(), reader.next8());
      default -> FormatCode.widthOf(code) <= 16 ? integer(reader, code) : bytes(reader, code);
    };
  }

  private static Object integer(AmqpReader reader, int code) {
    return switch (code) {
      case FormatCode.BYTE -> reader.next1();
      case FormatCode.SHORT -> reader.next2();
      case FormatCode.INT -> reader.next4();
      case FormatCode.SMALL_INT -> (int) reader.next1();
      case FormatCode.LONG -> reader.next8();
      case FormatCode.SMALL_LONG -> (long) reader.next1();
      case FormatCode.UBYTE -> new Unsigned.Ubyte(reader.next1() & 0xff);
      case FormatCode.USHORT -> new Unsigned.Ushort(reader.next2() & 0xffff);
      case FormatCode.UINT -> new Unsigned.Uint(reader.next4() & 0xffff_ffffL);
      case FormatCode.SMALL_UINT -> new Unsigned.Uint(reader.next1() & 0xff);
      case FormatCode.UINT0 -> new Unsigned.Uint(0);
      case FormatCode.ULONG -> new Unsigned.Ulong(reader.next8());
      case FormatCode.SMALL_ULONG -> new Unsigned.Ulong(reader.next1() & 0xff);
      case FormatCode.ULONG0 -> new Unsigned.Ulong(0);
      default -> throw new AmqpDecodeException("an unknown constructor");
    };
  }

  private static Object bytes(AmqpReader reader, int code) {
    int length = reader.readContent(code);
    int at = reader.contentOffset();
    return switch (code) {
      case FormatCode.STR8, FormatCode.STR32 ->
          reader.buffer().toString(at, length, StandardCharsets.UTF_8);
      case FormatCode.SYM8, FormatCode.SYM32 ->
          new Symbol(reader.buffer().toString(at, length, StandardCharsets.US_ASCII));
      default -> {
        var copy = new byte[length];
        reader.buffer().getBytes(at, copy);
        yield copy;
      }
    };
  }

  private static List<@Nullable Object> list(AmqpReader reader, int code) {
    int count = reader.enterList(code);
    var list = new ArrayList<@Nullable Object>(count);
    for (int i = 0; i < count; i++) {
      list.add(value(reader));
    }
    return list;
  }

  private static Map<Object, @Nullable Object> map(AmqpReader reader, int code) {
    int count = reader.enterMap(code);
    var map = new WireMap(count / 2);
    for (int i = 0; i < count; i += 2) {
      Object key = present(value(reader));
      map.put(key, value(reader));
    }
    return map;
  }

  private static TypedArray array(AmqpReader reader, int code) {
    int count = reader.enterArray(code);
    int elementCode = reader.nextCode();
    Object descriptor = null;
    if (elementCode == FormatCode.DESCRIBED) {
      descriptor = present(value(reader));
      elementCode = reader.nextCode();
    }
    var elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Object element = content(reader, elementCode);
      elements.add(descriptor == null ? present(element) : new Described(descriptor, element));
    }
    return new TypedArray(elementCode, elements);
  }

  private static Object present(@Nullable Object value) {
    if (value == null) {
      throw new AmqpDecodeException("null where a value must be");
    }
    return value;
  }

  private static void encodeNumber(ByteBuf out, Number value) {
    switch (value) {
      case Integer number -> AmqpWriter.writeInt(out, number);
      case Long number -> AmqpWriter.writeLong(out, number);
      case Short number -> AmqpWriter.writeShort(out, number);
      case Byte number -> AmqpWriter.writeByte(out, number);
      case Double number -> AmqpWriter.writeDouble(out, number);
      case Float number -> AmqpWriter.writeFloat(out, number);
      default -> throw new IllegalArgumentException("no AMQP type for " + value.getClass());
    }
  }

  private static void encodeUnsigned(ByteBuf out, Unsigned value) {
    switch (value) {
      case Unsigned.Ubyte number -> AmqpWriter.writeUbyte(out, (int) number.value());
      case Unsigned.Ushort number -> AmqpWriter.writeUshort(out, (int) number.value());
      case Unsigned.Uint number -> AmqpWriter.writeUint(out, (int) number.value());
      case Unsigned.Ulong number -> AmqpWriter.writeUlong(out, number.value());
    }
  }

  private static void encodeDecimal(ByteBuf out, Decimal value) {
    switch (value) {
      case Decimal.Decimal32 decimal -> {
        out.writeByte(FormatCode.DECIMAL32);
        out.writeInt(decimal.bits());
      }
      case Decimal.Decimal64 decimal -> {
        out.writeByte(FormatCode.DECIMAL64);
        out.writeLong(decimal.bits());
      }
      case Decimal.Decimal128 decimal -> {
        out.writeByte(FormatCode.DECIMAL128);
        out.writeLong(decimal.highBits());
        out.writeLong(decimal.lowBits());
      }
    }
  }

  private static void encodeList(ByteBuf out, List<?> list) {
    if (list.isEmpty()) {
      out.writeByte(FormatCode.LIST0);
      return;
    }
    int mark = AmqpWriter.beginList(out);
    for (Object element : list) {
      encode(out, element);
    }
    AmqpWriter.endList(out, mark, list.size());
  }

  private static void encodeMap(ByteBuf out, Map<?, ?> map) {
    if (writeEmptyMap(out, map)) {
      return;
    }
    int mark = AmqpWriter.beginMap(out);
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      encode(out, entry.getKey());
      encode(out, entry.getValue());
    }
    AmqpWriter.endMap(out, mark, 2 * map.size());
  }

  private static boolean writeEmptyMap(ByteBuf out, Map<?, ?> map) {
    if (!map.isEmpty()) {
      return false;
    }
    out.writeByte(FormatCode.MAP8);
    out.writeShort(0x0100); // one byte follows, and it counts no entries
    return true;
  }

  private static void encodeDescribed(ByteBuf out, Described described) {
    out.writeByte(FormatCode.DESCRIBED);
    encode(out, described.descriptor());
    encode(out, described.value());
  }
}

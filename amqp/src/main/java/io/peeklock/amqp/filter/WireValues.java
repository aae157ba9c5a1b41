package io.peeklock.amqp.filter;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.ValueType;
import java.nio.charset.StandardCharsets;

/** Single values between their encoding and {@link FilterValue}. */
final class WireValues {
  private static final long TICKS_PER_MILLI = 10_000;

  /** Since the year 1, as .NET counts. */
  private static final long TICKS_AT_1970 = 621_355_968_000_000_000L;

  private static final String TIMESPAN = "com.microsoft:timespan";
  private static final String DATETIME_OFFSET = "com.microsoft:datetime-offset";
  private static final String URI = "com.microsoft:uri";
  private static final int LONGEST_NAME = 32;

  private WireValues() {}

  /**
   * Reads the next value and moves behind it.
   *
   * @param bytes backs the reader's buffer, from its index 0
   */
  static void read(AmqpReader from, byte[] bytes, FilterValue into) {
    switch (from.peekCode()) {
      case FormatCode.NULL -> {
        from.skip();
        into.setNull();
      }
      case FormatCode.BOOLEAN, FormatCode.BOOLEAN_TRUE, FormatCode.BOOLEAN_FALSE ->
          into.setBoolean(from.readBoolean());
      case FormatCode.BYTE -> into.setWhole(ValueType.BYTE, from.readByte());
      case FormatCode.SHORT -> into.setWhole(ValueType.SHORT, from.readShort());
      case FormatCode.INT, FormatCode.SMALL_INT -> into.setWhole(ValueType.INT, from.readInt());
      case FormatCode.LONG, FormatCode.SMALL_LONG -> into.setWhole(ValueType.LONG, from.readLong());
      case FormatCode.UBYTE -> into.setWhole(ValueType.UBYTE, from.readUbyte());
      case FormatCode.USHORT -> into.setWhole(ValueType.USHORT, from.readUshort());
      case FormatCode.UINT, FormatCode.SMALL_UINT, FormatCode.UINT0 ->
          into.setWhole(ValueType.UINT, from.readUint());
      case FormatCode.ULONG, FormatCode.SMALL_ULONG, FormatCode.ULONG0 ->
          into.setUnsigned(from.readUlong());
      case FormatCode.FLOAT -> into.setFloat(from.readFloat());
      case FormatCode.DOUBLE -> into.setDouble(from.readDouble());
      case FormatCode.TIMESTAMP -> into.setTimestampMillis(from.readTimestamp());
      default -> readLarger(from, bytes, into);
    }
  }

  private static void readLarger(AmqpReader from, byte[] bytes, FilterValue into) {
    switch (from.peekCode()) {
      case FormatCode.STR8, FormatCode.STR32, FormatCode.SYM8, FormatCode.SYM32 -> {
        var length = from.readContent();
        into.setUtf8(bytes, from.contentOffset(), length);
      }
      case FormatCode.BIN8, FormatCode.BIN32 -> {
        var length = from.readContent();
        into.setBinary(bytes, from.contentOffset(), length);
      }
      case FormatCode.CHAR -> readChar(from, into);
      case FormatCode.UUID -> {
        var uuid = from.readUuid();
        into.setGuid(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
      }
      case FormatCode.DECIMAL32, FormatCode.DECIMAL64, FormatCode.DECIMAL128 ->
          WireDecimals.read(from, bytes, into);
      case FormatCode.DESCRIBED -> readDescribed(from, bytes, into);
      default -> other(from, into);
    }
  }

  /** What filters do not look into. */
  private static void other(AmqpReader from, FilterValue into) {
    from.skip();
    into.setOther();
  }

  /** The types of .NET that its client puts into properties (amqp.md 4.2) compare by value. */
  private static void readDescribed(AmqpReader from, byte[] bytes, FilterValue into) {
    var start = from.position();
    from.position(start + 1);
    var code = from.peekCode();
    var length = code == FormatCode.SYM8 || code == FormatCode.SYM32 ? from.readContent() : 0;
    var name = length == 0 ? "" : ascii(bytes, from.contentOffset(), length);
    var value = length == 0 ? FormatCode.NULL : from.peekCode();
    var isLong = value == FormatCode.LONG || value == FormatCode.SMALL_LONG;
    if (name.equals(TIMESPAN) && isLong) {
      into.setDurationTicks(from.readLong());
    } else if (name.equals(DATETIME_OFFSET) && isLong) {
      into.setTimestampTicks(from.readLong() - TICKS_AT_1970);
    } else if (name.equals(URI) && FormatCode.isText(value)) {
      read(from, bytes, into);
    } else {
      from.position(start);
      other(from, into);
    }
  }

  private static String ascii(byte[] bytes, int offset, int length) {
    return length > LONGEST_NAME
        ? ""
        : new String(bytes, offset, length, StandardCharsets.US_ASCII);
  }

  /** The wire has room for more than there are characters. */
  private static void readChar(AmqpReader from, FilterValue into) {
    var character = from.readChar();
    if (Character.isValidCodePoint(character)) {
      into.setText(Character.toString(character));
    } else {
      into.setOther();
    }
  }

  /** Writes a value that an action set. */
  static void write(ByteBuf out, FilterValue value) {
    switch (value.type()) {
      case MISSING, NULL, OTHER -> AmqpWriter.writeNull(out);
      case BOOLEAN -> AmqpWriter.writeBoolean(out, value.truth());
      case BYTE -> AmqpWriter.writeByte(out, (byte) value.whole());
      case SHORT -> AmqpWriter.writeShort(out, (short) value.whole());
      case INT -> AmqpWriter.writeInt(out, (int) value.whole());
      case LONG -> AmqpWriter.writeLong(out, value.whole());
      case UBYTE -> AmqpWriter.writeUbyte(out, (int) value.whole());
      case USHORT -> AmqpWriter.writeUshort(out, (int) value.whole());
      case UINT -> AmqpWriter.writeUint(out, (int) value.whole());
      case ULONG -> AmqpWriter.writeUlong(out, value.whole());
      case FLOAT -> AmqpWriter.writeFloat(out, (float) value.asDouble());
      case DOUBLE -> AmqpWriter.writeDouble(out, value.asDouble());
      case DECIMAL -> WireDecimals.write(out, value.asDecimal());
      case TEXT -> writeText(out, value.text());
      case TIMESTAMP ->
          AmqpWriter.writeTimestamp(out, Math.floorDiv(value.ticks(), TICKS_PER_MILLI));
      case DURATION -> {
        out.writeByte(FormatCode.DESCRIBED);
        AmqpWriter.writeSymbol(out, TIMESPAN);
        AmqpWriter.writeLong(out, value.ticks());
      }
      case GUID ->
          AmqpWriter.writeUuid(out, value.mostSignificantBits(), value.leastSignificantBits());
      case BINARY -> AmqpWriter.writeBinary(out, value.toBytes());
    }
  }

  /**
   * A text of any length, which is encoded at once: sixty kilobytes are a tenth of a millisecond
   * else.
   */
  static void writeText(ByteBuf out, String key) {
    var utf8 = key.getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= 255) {
      out.writeByte(FormatCode.STR8).writeByte(utf8.length);
    } else {
      out.writeByte(FormatCode.STR32).writeInt(utf8.length);
    }
    out.writeBytes(utf8);
  }
}

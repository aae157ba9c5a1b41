package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes AMQP values at the end of a buffer, in their smallest encoding unless said otherwise.
 * Stateless. Compound values are written as 32-bit forms whose head is patched at the end:
 *
 * <pre>{@code
 * int map = AmqpWriter.beginMap(out);
 * AmqpWriter.writeString(out, "message");
 * AmqpWriter.writeBinary(out, encoded);
 * AmqpWriter.endMap(out, map, 2); // keys and values together
 * }</pre>
 */
public final class AmqpWriter {
  private AmqpWriter() {}

  public static void writeNull(ByteBuf out) {
    out.writeByte(FormatCode.NULL);
  }

  public static void writeBoolean(ByteBuf out, boolean value) {
    out.writeByte(value ? FormatCode.BOOLEAN_TRUE : FormatCode.BOOLEAN_FALSE);
  }

  public static void writeUbyte(ByteBuf out, int value) {
    out.writeByte(FormatCode.UBYTE);
    out.writeByte(value);
  }

  public static void writeUshort(ByteBuf out, int value) {
    out.writeByte(FormatCode.USHORT);
    out.writeShort(value);
  }

  /** Writes a {@code uint} from its 32 bits. */
  public static void writeUint(ByteBuf out, int bits) {
    if (bits == 0) {
      out.writeByte(FormatCode.UINT0);
    } else if (bits > 0 && bits < 256) {
      out.writeShort(FormatCode.SMALL_UINT << 8 | bits);
    } else {
      out.writeByte(FormatCode.UINT);
      out.writeInt(bits);
    }
  }

  /** Writes a {@code ulong} from its 64 bits. */
  public static void writeUlong(ByteBuf out, long bits) {
    if (bits == 0) {
      out.writeByte(FormatCode.ULONG0);
    } else if (bits > 0 && bits < 256) {
      out.writeShort(FormatCode.SMALL_ULONG << 8 | (int) bits);
    } else {
      out.writeByte(FormatCode.ULONG);
      out.writeLong(bits);
    }
  }

  public static void writeByte(ByteBuf out, byte value) {
    out.writeByte(FormatCode.BYTE);
    out.writeByte(value);
  }

  public static void writeShort(ByteBuf out, short value) {
    out.writeByte(FormatCode.SHORT);
    out.writeShort(value);
  }

  public static void writeInt(ByteBuf out, int value) {
    if (value == (byte) value) {
      out.writeShort(FormatCode.SMALL_INT << 8 | (value & 0xff));
    } else {
      out.writeByte(FormatCode.INT);
      out.writeInt(value);
    }
  }

  public static void writeLong(ByteBuf out, long value) {
    if (value == (byte) value) {
      out.writeShort(FormatCode.SMALL_LONG << 8 | ((int) value & 0xff));
    } else {
      out.writeByte(FormatCode.LONG);
      out.writeLong(value);
    }
  }

  public static void writeFloat(ByteBuf out, float value) {
    out.writeByte(FormatCode.FLOAT);
    out.writeInt(Float.floatToRawIntBits(value));
  }

  public static void writeDouble(ByteBuf out, double value) {
    out.writeByte(FormatCode.DOUBLE);
    out.writeLong(Double.doubleToRawLongBits(value));
  }

  /** Writes a {@code char} from its 32 bits. */
  public static void writeChar(ByteBuf out, int codePoint) {
    out.writeByte(FormatCode.CHAR);
    out.writeInt(codePoint);
  }

  /** Writes a {@code timestamp} from milliseconds since the epoch. */
  public static void writeTimestamp(ByteBuf out, long epochMillis) {
    out.writeByte(FormatCode.TIMESTAMP);
    out.writeLong(epochMillis);
  }

  /** Writes a {@code uuid} in RFC order (not the order of lock tokens in delivery tags). */
  public static void writeUuid(ByteBuf out, UUID value) {
    writeUuid(out, value.getMostSignificantBits(), value.getLeastSignificantBits());
  }

  /** Writes a {@code uuid} from its most and least significant bits, without an object. */
  public static void writeUuid(ByteBuf out, long highBits, long lowBits) {
    out.writeByte(FormatCode.UUID);
    out.writeLong(highBits);
    out.writeLong(lowBits);
  }

  public static void writeBinary(ByteBuf out, byte[] value) {
    writeHead(out, FormatCode.BIN8, value.length);
    out.writeBytes(value);
  }

  /** Writes {@code length} bytes of another buffer from an absolute index as {@code binary}. */
  public static void writeBinary(ByteBuf out, ByteBuf source, int offset, int length) {
    writeHead(out, FormatCode.BIN8, length);
    out.writeBytes(source, offset, length);
  }

  /** Writes a {@code string}, or null. */
  public static void writeString(ByteBuf out, @Nullable String value) {
    if (value == null) {
      writeNull(out);
      return;
    }
    writeHead(out, FormatCode.STR8, ByteBufUtil.utf8Bytes(value));
    ByteBufUtil.writeUtf8(out, value);
  }

  /** Writes a {@code symbol}, or null. */
  public static void writeSymbol(ByteBuf out, @Nullable String value) {
    if (value == null) {
      writeNull(out);
      return;
    }
    writeHead(out, FormatCode.SYM8, value.length());
    ByteBufUtil.writeAscii(out, value);
  }

  /**
   * Writes a descriptor; the described value must follow. Codes up to 255 as {@code smallulong}.
   */
  public static void writeDescriptor(ByteBuf out, long code) {
    out.writeByte(FormatCode.DESCRIBED);
    if (code >= 0 && code < 256) {
      // Also for 0: Python skips two bytes and reads the third (amqp.md 1.6).
      out.writeShort(FormatCode.SMALL_ULONG << 8 | (int) code);
    } else {
      writeUlong(out, code);
    }
  }

  /** Starts a list; returns the mark for {@link #endList}. */
  public static int beginList(ByteBuf out) {
    return begin(out, FormatCode.LIST32, 8);
  }

  /** Ends the list that was begun at {@code mark} and holds {@code count} values. */
  public static void endList(ByteBuf out, int mark, int count) {
    end(out, mark, count);
  }

  /** Starts a map; returns the mark for {@link #endMap}. */
  public static int beginMap(ByteBuf out) {
    return begin(out, FormatCode.MAP32, 8);
  }

  /** Ends the map that was begun at {@code mark}; {@code count} is keys and values together. */
  public static void endMap(ByteBuf out, int mark, int count) {
    end(out, mark, count);
  }

  /** Starts a {@code binary} whose length is not known yet; returns the mark for the end. */
  public static int beginBinary(ByteBuf out) {
    return begin(out, FormatCode.BIN32, 4);
  }

  /** Ends the {@code binary} that was begun at {@code mark}. */
  public static void endBinary(ByteBuf out, int mark) {
    out.setInt(mark, out.writerIndex() - mark - 4);
  }

  /** Writes an array of {@code long}. */
  public static void writeLongArray(ByteBuf out, long[] values) {
    writeArrayHead(out, FormatCode.LONG, values.length, 8);
    for (long value : values) {
      out.writeLong(value);
    }
  }

  /** Writes an array of {@code timestamp}, from milliseconds since the epoch. */
  public static void writeTimestampArray(ByteBuf out, long[] epochMillis) {
    writeArrayHead(out, FormatCode.TIMESTAMP, epochMillis.length, 8);
    for (long millis : epochMillis) {
      out.writeLong(millis);
    }
  }

  /** Writes an array of {@code uuid}, in RFC order. */
  public static void writeUuidArray(ByteBuf out, List<UUID> values) {
    writeArrayHead(out, FormatCode.UUID, values.size(), 16);
    for (UUID value : values) {
      out.writeLong(value.getMostSignificantBits());
      out.writeLong(value.getLeastSignificantBits());
    }
  }

  /** Writes an array of {@code symbol}, also for a single one. */
  public static void writeSymbolArray(ByteBuf out, List<String> values) {
    int mark = begin(out, FormatCode.ARRAY32, 8);
    boolean small = values.stream().allMatch(value -> value.length() < 256);
    out.writeByte(small ? FormatCode.SYM8 : FormatCode.SYM32);
    for (String value : values) {
      if (small) {
        out.writeByte(value.length());
      } else {
        out.writeInt(value.length());
      }
      ByteBufUtil.writeAscii(out, value);
    }
    end(out, mark, values.size());
  }

  static int beginArray(ByteBuf out) {
    return begin(out, FormatCode.ARRAY32, 8);
  }

  static void endArray(ByteBuf out, int mark, int count) {
    end(out, mark, count);
  }

  /** Writes the head of a binary, string or symbol; {@code code8} is its small constructor. */
  private static void writeHead(ByteBuf out, int code8, int length) {
    if (length < 256) {
      out.writeShort(code8 << 8 | length);
    } else {
      out.writeByte(code8 | 0x10); // all large constructors are 0x10 above the small ones
      out.writeInt(length);
    }
  }

  private static void writeArrayHead(ByteBuf out, int elementCode, int count, int width) {
    long size = 1L + (long) count * width; // the constructor and the elements
    if (size + 1 < 256) {
      out.writeByte(FormatCode.ARRAY8);
      out.writeByte((int) size + 1);
      out.writeByte(count);
    } else {
      out.writeByte(FormatCode.ARRAY32);
      out.writeInt(Math.toIntExact(size + 4));
      out.writeInt(count);
    }
    out.writeByte(elementCode);
  }

  private static int begin(ByteBuf out, int code, int headBytes) {
    out.writeByte(code);
    int mark = out.writerIndex();
    out.writeZero(headBytes);
    return mark;
  }

  private static void end(ByteBuf out, int mark, int count) {
    out.setInt(mark, out.writerIndex() - mark - 4);
    out.setInt(mark + 4, count);
  }
}

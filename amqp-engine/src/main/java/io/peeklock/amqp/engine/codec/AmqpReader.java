package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over encoded AMQP values. It reads with absolute indexes, so the buffer's own reader
 * index stays; it is reusable and makes no garbage except for the objects it is asked for.
 *
 * <p>Every {@code read…} takes small and large encodings alike, moves behind the value, and throws
 * {@link AmqpDecodeException} when the value has another type or leaves its enclosing bytes; the
 * position is then undefined. Not for two threads.
 */
public final class AmqpReader {
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int position;
  private int end;
  private int contentOffset;
  private int compoundEnd;
  private int elementCode;

  /**
   * Starts over with {@code length} bytes from {@code offset}, an absolute index into the buffer.
   */
  public AmqpReader reset(ByteBuf source, int offset, int length) {
    buffer = source;
    position = offset;
    end = offset + length;
    return this;
  }

  /** The absolute index of the next byte. */
  public int position() {
    return position;
  }

  /** Moves to an absolute index inside the bytes given to {@link #reset}. */
  public void position(int newPosition) {
    position = newPosition;
  }

  /** The absolute index behind the last byte. */
  public int end() {
    return end;
  }

  /** Whether bytes are left. */
  public boolean hasMore() {
    return position < end;
  }

  /** The constructor of the next value (one of {@link FormatCode}); the position stays. */
  public int peekCode() {
    need(1);
    return buffer.getUnsignedByte(position);
  }

  /** Whether the next value is null; if so, it is read. */
  public boolean readNull() {
    if (peekCode() != FormatCode.NULL) {
      return false;
    }
    position++;
    return true;
  }

  public boolean readBoolean() {
    int code = nextCode();
    return switch (code) {
      case FormatCode.BOOLEAN_TRUE -> true;
      case FormatCode.BOOLEAN_FALSE -> false;
      case FormatCode.BOOLEAN -> next1() != 0;
      default -> throw wrong("boolean", code);
    };
  }

  /** Reads a {@code ubyte}: 0 to 255. */
  public int readUbyte() {
    int code = nextCode();
    if (code != FormatCode.UBYTE) {
      throw wrong("ubyte", code);
    }
    return next1() & 0xff;
  }

  /** Reads a {@code ushort}: 0 to 65535. */
  public int readUshort() {
    int code = nextCode();
    if (code != FormatCode.USHORT) {
      throw wrong("ushort", code);
    }
    return next2() & 0xffff;
  }

  /** Reads a {@code uint}: 0 to 2^32-1. */
  public long readUint() {
    int code = nextCode();
    return switch (code) {
      case FormatCode.UINT -> next4() & 0xffff_ffffL;
      case FormatCode.SMALL_UINT -> next1() & 0xff;
      case FormatCode.UINT0 -> 0;
      default -> throw wrong("uint", code);
    };
  }

  /** Reads a {@code ulong}: 64 bits, unsigned. */
  public long readUlong() {
    int code = nextCode();
    return switch (code) {
      case FormatCode.ULONG -> next8();
      case FormatCode.SMALL_ULONG -> next1() & 0xff;
      case FormatCode.ULONG0 -> 0;
      default -> throw wrong("ulong", code);
    };
  }

  public byte readByte() {
    int code = nextCode();
    if (code != FormatCode.BYTE) {
      throw wrong("byte", code);
    }
    return next1();
  }

  public short readShort() {
    int code = nextCode();
    if (code != FormatCode.SHORT) {
      throw wrong("short", code);
    }
    return next2();
  }

  public int readInt() {
    int code = nextCode();
    return switch (code) {
      case FormatCode.INT -> next4();
      case FormatCode.SMALL_INT -> next1();
      default -> throw wrong("int", code);
    };
  }

  public long readLong() {
    int code = nextCode();
    return switch (code) {
      case FormatCode.LONG -> next8();
      case FormatCode.SMALL_LONG -> next1();
      default -> throw wrong("long", code);
    };
  }

  /**
   * Reads any integer type, signed or unsigned, as a {@code long}; a {@code ulong} above 2^63-1 is
   * refused. Clients are free in their choice (JavaScript sends uint, int, or long by magnitude).
   */
  public long readAnyInteger() {
    return switch (peekCode()) {
      case FormatCode.UBYTE -> readUbyte();
      case FormatCode.USHORT -> readUshort();
      case FormatCode.UINT, FormatCode.SMALL_UINT, FormatCode.UINT0 -> readUint();
      case FormatCode.ULONG, FormatCode.SMALL_ULONG, FormatCode.ULONG0 -> readUlongAsLong();
      case FormatCode.BYTE -> readByte();
      case FormatCode.SHORT -> readShort();
      case FormatCode.INT, FormatCode.SMALL_INT -> readInt();
      default -> readLong();
    };
  }

  public float readFloat() {
    int code = nextCode();
    if (code != FormatCode.FLOAT) {
      throw wrong("float", code);
    }
    return Float.intBitsToFloat(next4());
  }

  public double readDouble() {
    int code = nextCode();
    if (code != FormatCode.DOUBLE) {
      throw wrong("double", code);
    }
    return Double.longBitsToDouble(next8());
  }

  /** Reads a {@code char} as its 32 bits. */
  public int readChar() {
    int code = nextCode();
    if (code != FormatCode.CHAR) {
      throw wrong("char", code);
    }
    return next4();
  }

  /** Reads a {@code timestamp} as milliseconds since the epoch. */
  public long readTimestamp() {
    int code = nextCode();
    if (code != FormatCode.TIMESTAMP) {
      throw wrong("timestamp", code);
    }
    return next8();
  }

  public UUID readUuid() {
    int code = nextCode();
    if (code != FormatCode.UUID) {
      throw wrong("uuid", code);
    }
    return new UUID(next8(), next8());
  }

  /** Reads a {@code binary} as a copy. */
  public byte[] readBinary() {
    int code = peekCode();
    if (code != FormatCode.BIN8 && code != FormatCode.BIN32) {
      throw wrong("binary", code);
    }
    var bytes = new byte[readContent()];
    buffer.getBytes(contentOffset, bytes);
    return bytes;
  }

  public String readString() {
    int code = peekCode();
    if (code != FormatCode.STR8 && code != FormatCode.STR32) {
      throw wrong("string", code);
    }
    int length = readContent();
    return buffer.toString(contentOffset, length, StandardCharsets.UTF_8);
  }

  /** Reads a {@code symbol} as text. */
  public String readSymbol() {
    int code = peekCode();
    if (code != FormatCode.SYM8 && code != FormatCode.SYM32) {
      throw wrong("symbol", code);
    }
    int length = readContent();
    return buffer.toString(contentOffset, length, StandardCharsets.US_ASCII);
  }

  /** Reads a {@code string} or a {@code symbol} as text; null gives null. */
  public @Nullable String readText() {
    return switch (peekCode()) {
      case FormatCode.NULL -> {
        position++;
        yield null;
      }
      case FormatCode.SYM8, FormatCode.SYM32 -> readSymbol();
      default -> readString();
    };
  }

  /**
   * Reads the head of a {@code binary}, {@code string} or {@code symbol} and moves behind it,
   * without copying. {@link #contentOffset} says where its bytes are.
   *
   * @return how many bytes they are
   */
  public int readContent() {
    return readContent(nextCode());
  }

  /** The absolute index of the bytes found by the last {@link #readContent}. */
  public int contentOffset() {
    return contentOffset;
  }

  /**
   * Reads the head of a {@code list}; its values follow. Behind the last wanted one, call {@link
   * #leave} with the index that {@link #compoundEnd} gave right after this call.
   *
   * @return how many values it holds
   */
  public int enterList() {
    return enterList(nextCode());
  }

  /**
   * Reads the head of a {@code map}; keys and values follow in turns.
   *
   * @return how many keys and values it holds together
   */
  public int enterMap() {
    return enterMap(nextCode());
  }

  /**
   * Reads the head of an {@code array}. Its elements have no constructors of their own: read them
   * with {@link AmqpValues#decode} on the whole array, or by their fixed width from the buffer.
   *
   * @return how many elements it holds; {@link #elementCode} is their constructor
   */
  public int enterArray() {
    int count = enterArray(nextCode());
    elementCode = nextCode();
    if (elementCode == FormatCode.DESCRIBED) {
      skip();
      elementCode = nextCode();
    }
    return count;
  }

  /** The constructor of the elements of the array entered last. */
  public int elementCode() {
    return elementCode;
  }

  /** The absolute index behind the list, map or array that was entered last. */
  public int compoundEnd() {
    return compoundEnd;
  }

  /** Moves behind a compound value, wherever inside it the cursor is. */
  public void leave(int compoundEnd) {
    position = compoundEnd;
  }

  /**
   * Reads the descriptor of a described value; the value itself is next. Symbolic descriptors of
   * AMQP's own types give the same code as numeric ones.
   *
   * @return the code (see {@link Descriptor}), or {@link Descriptor#UNKNOWN} for an unknown symbol
   */
  public long readDescriptor() {
    int code = nextCode();
    if (code != FormatCode.DESCRIBED) {
      throw wrong("described value", code);
    }
    int kind = peekCode();
    if (kind != FormatCode.SYM8 && kind != FormatCode.SYM32) {
      return readUlong();
    }
    int length = readContent();
    return Descriptor.codeOf(buffer, contentOffset, length);
  }

  /** Moves behind the next value, of whatever type, without looking inside it. */
  public void skip() {
    int code = nextCode();
    for (int i = 0; code == FormatCode.DESCRIBED; i++) {
      if (i == ValueCheck.MAX_DEPTH) {
        throw new AmqpDecodeException("nested too deeply");
      }
      skipContent(nextCode());
      code = nextCode();
    }
    skipContent(code);
  }

  ByteBuf buffer() {
    return buffer;
  }

  /** Reads the bytes behind the constructor of an array's element, given in {@code code}. */
  void skipContent(int code) {
    int width = FormatCode.widthOf(code);
    int length =
        switch (width) {
          case FormatCode.UNKNOWN_WIDTH -> throw wrong("known type", code);
          case FormatCode.SIZE8 -> next1() & 0xff;
          case FormatCode.SIZE32 -> next4();
          default -> width;
        };
    need(length);
    position += length;
  }

  private long readUlongAsLong() {
    long value = readUlong();
    if (value < 0) {
      throw new AmqpDecodeException("a ulong is too large");
    }
    return value;
  }

  /** Reads the head of a list whose constructor was read before. */
  int enterList(int code) {
    return switch (code) {
      case FormatCode.LIST0 -> enterEmpty();
      case FormatCode.LIST8 -> enter8();
      case FormatCode.LIST32 -> enter32();
      default -> throw wrong("list", code);
    };
  }

  /** Reads the head of a map whose constructor was read before. */
  int enterMap(int code) {
    return switch (code) {
      case FormatCode.MAP8 -> enter8();
      case FormatCode.MAP32 -> enter32();
      default -> throw wrong("map", code);
    };
  }

  /** Reads the count of an array whose constructor was read before; the element's one is next. */
  int enterArray(int code) {
    return switch (code) {
      case FormatCode.ARRAY8 -> enter8();
      case FormatCode.ARRAY32 -> enter32();
      default -> throw wrong("array", code);
    };
  }

  /** Reads the bytes of a binary, string or symbol whose constructor was read before. */
  int readContent(int code) {
    int length =
        switch (code) {
          case FormatCode.BIN8, FormatCode.STR8, FormatCode.SYM8 -> next1() & 0xff;
          case FormatCode.BIN32, FormatCode.STR32, FormatCode.SYM32 -> next4();
          default -> throw wrong("binary, string or symbol", code);
        };
    need(length);
    contentOffset = position;
    position += length;
    return length;
  }

  private int enterEmpty() {
    compoundEnd = position;
    return 0;
  }

  private int enter8() {
    int size = next1() & 0xff;
    need(size);
    compoundEnd = position + size;
    return next1() & 0xff;
  }

  private int enter32() {
    int size = next4();
    need(size);
    compoundEnd = position + size;
    int count = next4();
    if (count < 0 || count > size) {
      throw new AmqpDecodeException("a count is larger than the bytes left");
    }
    return count;
  }

  int nextCode() {
    return next1() & 0xff;
  }

  byte next1() {
    need(1);
    return buffer.getByte(position++);
  }

  short next2() {
    need(2);
    position += 2;
    return buffer.getShort(position - 2);
  }

  int next4() {
    need(4);
    position += 4;
    return buffer.getInt(position - 4);
  }

  long next8() {
    need(8);
    position += 8;
    return buffer.getLong(position - 8);
  }

  private void need(int bytes) {
    if (bytes < 0 || bytes > end - position) {
      throw new AmqpDecodeException("a value is cut off");
    }
  }

  private static AmqpDecodeException wrong(String wanted, int code) {
    return new AmqpDecodeException("not a " + wanted + ": 0x" + Integer.toHexString(code));
  }
}

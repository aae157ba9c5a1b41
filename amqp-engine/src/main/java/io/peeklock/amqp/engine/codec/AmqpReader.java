package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;
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
  /**
   * Starts over with {@code length} bytes from {@code offset}, an absolute index into the buffer.
   */
  public AmqpReader reset(ByteBuf source, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  /** The absolute index of the next byte. */
  public int position() {
    throw new UnsupportedOperationException();
  }

  /** Moves to an absolute index inside the bytes given to {@link #reset}. */
  public void position(int newPosition) {
    throw new UnsupportedOperationException();
  }

  /** The absolute index behind the last byte. */
  public int end() {
    throw new UnsupportedOperationException();
  }

  /** Whether bytes are left. */
  public boolean hasMore() {
    throw new UnsupportedOperationException();
  }

  /** The constructor of the next value (one of {@link FormatCode}); the position stays. */
  public int peekCode() {
    throw new UnsupportedOperationException();
  }

  /** Whether the next value is null; if so, it is read. */
  public boolean readNull() {
    throw new UnsupportedOperationException();
  }

  public boolean readBoolean() {
    throw new UnsupportedOperationException();
  }

  /** Reads a {@code ubyte}: 0 to 255. */
  public int readUbyte() {
    throw new UnsupportedOperationException();
  }

  /** Reads a {@code ushort}: 0 to 65535. */
  public int readUshort() {
    throw new UnsupportedOperationException();
  }

  /** Reads a {@code uint}: 0 to 2^32-1. */
  public long readUint() {
    throw new UnsupportedOperationException();
  }

  /** Reads a {@code ulong}: 64 bits, unsigned. */
  public long readUlong() {
    throw new UnsupportedOperationException();
  }

  public byte readByte() {
    throw new UnsupportedOperationException();
  }

  public short readShort() {
    throw new UnsupportedOperationException();
  }

  public int readInt() {
    throw new UnsupportedOperationException();
  }

  public long readLong() {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads any integer type, signed or unsigned, as a {@code long}; a {@code ulong} above 2^63-1 is
   * refused. Clients are free in their choice (JavaScript sends uint, int, or long by magnitude).
   */
  public long readAnyInteger() {
    throw new UnsupportedOperationException();
  }

  public float readFloat() {
    throw new UnsupportedOperationException();
  }

  public double readDouble() {
    throw new UnsupportedOperationException();
  }

  /** Reads a {@code char} as its 32 bits. */
  public int readChar() {
    throw new UnsupportedOperationException();
  }

  /** Reads a {@code timestamp} as milliseconds since the epoch. */
  public long readTimestamp() {
    throw new UnsupportedOperationException();
  }

  public UUID readUuid() {
    throw new UnsupportedOperationException();
  }

  /** Reads a {@code binary} as a copy. */
  public byte[] readBinary() {
    throw new UnsupportedOperationException();
  }

  public String readString() {
    throw new UnsupportedOperationException();
  }

  /** Reads a {@code symbol} as text. */
  public String readSymbol() {
    throw new UnsupportedOperationException();
  }

  /** Reads a {@code string} or a {@code symbol} as text; null gives null. */
  public @Nullable String readText() {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads the head of a {@code binary}, {@code string} or {@code symbol} and moves behind it,
   * without copying. {@link #contentOffset} says where its bytes are.
   *
   * @return how many bytes they are
   */
  public int readContent() {
    throw new UnsupportedOperationException();
  }

  /** The absolute index of the bytes found by the last {@link #readContent}. */
  public int contentOffset() {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads the head of a {@code list}; its values follow. Behind the last wanted one, call {@link
   * #leave} with the index that {@link #compoundEnd} gave right after this call.
   *
   * @return how many values it holds
   */
  public int enterList() {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads the head of a {@code map}; keys and values follow in turns.
   *
   * @return how many keys and values it holds together
   */
  public int enterMap() {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads the head of an {@code array}. Its elements have no constructors of their own: read them
   * with {@link AmqpValues#decode} on the whole array, or by their fixed width from the buffer.
   *
   * @return how many elements it holds; {@link #elementCode} is their constructor
   */
  public int enterArray() {
    throw new UnsupportedOperationException();
  }

  /** The constructor of the elements of the array entered last. */
  public int elementCode() {
    throw new UnsupportedOperationException();
  }

  /** The absolute index behind the list, map or array that was entered last. */
  public int compoundEnd() {
    throw new UnsupportedOperationException();
  }

  /** Moves behind a compound value, wherever inside it the cursor is. */
  public void leave(int compoundEnd) {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads the descriptor of a described value; the value itself is next. Symbolic descriptors of
   * AMQP's own types give the same code as numeric ones.
   *
   * @return the code (see {@link Descriptor}), or {@link Descriptor#UNKNOWN} for an unknown symbol
   */
  public long readDescriptor() {
    throw new UnsupportedOperationException();
  }

  /** Moves behind the next value, of whatever type, without looking inside it. */
  public void skip() {
    throw new UnsupportedOperationException();
  }
}

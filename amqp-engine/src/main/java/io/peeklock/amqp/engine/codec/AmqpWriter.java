package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;
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
    throw new UnsupportedOperationException();
  }

  public static void writeBoolean(ByteBuf out, boolean value) {
    throw new UnsupportedOperationException();
  }

  public static void writeUbyte(ByteBuf out, int value) {
    throw new UnsupportedOperationException();
  }

  public static void writeUshort(ByteBuf out, int value) {
    throw new UnsupportedOperationException();
  }

  /** Writes a {@code uint} from its 32 bits. */
  public static void writeUint(ByteBuf out, int bits) {
    throw new UnsupportedOperationException();
  }

  /** Writes a {@code ulong} from its 64 bits. */
  public static void writeUlong(ByteBuf out, long bits) {
    throw new UnsupportedOperationException();
  }

  public static void writeByte(ByteBuf out, byte value) {
    throw new UnsupportedOperationException();
  }

  public static void writeShort(ByteBuf out, short value) {
    throw new UnsupportedOperationException();
  }

  public static void writeInt(ByteBuf out, int value) {
    throw new UnsupportedOperationException();
  }

  public static void writeLong(ByteBuf out, long value) {
    throw new UnsupportedOperationException();
  }

  public static void writeFloat(ByteBuf out, float value) {
    throw new UnsupportedOperationException();
  }

  public static void writeDouble(ByteBuf out, double value) {
    throw new UnsupportedOperationException();
  }

  /** Writes a {@code char} from its 32 bits. */
  public static void writeChar(ByteBuf out, int codePoint) {
    throw new UnsupportedOperationException();
  }

  /** Writes a {@code timestamp} from milliseconds since the epoch. */
  public static void writeTimestamp(ByteBuf out, long epochMillis) {
    throw new UnsupportedOperationException();
  }

  /** Writes a {@code uuid} in RFC order (not the order of lock tokens in delivery tags). */
  public static void writeUuid(ByteBuf out, UUID value) {
    throw new UnsupportedOperationException();
  }

  /** Writes a {@code uuid} from its most and least significant bits, without an object. */
  public static void writeUuid(ByteBuf out, long highBits, long lowBits) {
    throw new UnsupportedOperationException();
  }

  public static void writeBinary(ByteBuf out, byte[] value) {
    throw new UnsupportedOperationException();
  }

  /** Writes {@code length} bytes of another buffer from an absolute index as {@code binary}. */
  public static void writeBinary(ByteBuf out, ByteBuf source, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  /** Writes a {@code string}, or null. */
  public static void writeString(ByteBuf out, @Nullable String value) {
    throw new UnsupportedOperationException();
  }

  /** Writes a {@code symbol}, or null. */
  public static void writeSymbol(ByteBuf out, @Nullable String value) {
    throw new UnsupportedOperationException();
  }

  /**
   * Writes a descriptor; the described value must follow. Codes up to 255 as {@code smallulong}.
   */
  public static void writeDescriptor(ByteBuf out, long code) {
    throw new UnsupportedOperationException();
  }

  /** Starts a list; returns the mark for {@link #endList}. */
  public static int beginList(ByteBuf out) {
    throw new UnsupportedOperationException();
  }

  /** Ends the list that was begun at {@code mark} and holds {@code count} values. */
  public static void endList(ByteBuf out, int mark, int count) {
    throw new UnsupportedOperationException();
  }

  /** Starts a map; returns the mark for {@link #endMap}. */
  public static int beginMap(ByteBuf out) {
    throw new UnsupportedOperationException();
  }

  /** Ends the map that was begun at {@code mark}; {@code count} is keys and values together. */
  public static void endMap(ByteBuf out, int mark, int count) {
    throw new UnsupportedOperationException();
  }

  /** Starts a {@code binary} whose length is not known yet; returns the mark for the end. */
  public static int beginBinary(ByteBuf out) {
    throw new UnsupportedOperationException();
  }

  /** Ends the {@code binary} that was begun at {@code mark}. */
  public static void endBinary(ByteBuf out, int mark) {
    throw new UnsupportedOperationException();
  }

  /** Writes an array of {@code long}. */
  public static void writeLongArray(ByteBuf out, long[] values) {
    throw new UnsupportedOperationException();
  }

  /** Writes an array of {@code timestamp}, from milliseconds since the epoch. */
  public static void writeTimestampArray(ByteBuf out, long[] epochMillis) {
    throw new UnsupportedOperationException();
  }

  /** Writes an array of {@code uuid}, in RFC order. */
  public static void writeUuidArray(ByteBuf out, List<UUID> values) {
    throw new UnsupportedOperationException();
  }

  /** Writes an array of {@code symbol}, also for a single one. */
  public static void writeSymbolArray(ByteBuf out, List<String> values) {
    throw new UnsupportedOperationException();
  }
}

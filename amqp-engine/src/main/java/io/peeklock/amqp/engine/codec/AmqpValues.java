package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Between encoded values and Java objects, for bodies, filters and infos off the hot path.
 *
 * <p>AMQP to Java: null, {@code boolean} Boolean, the signed integers Byte, Short, Integer, Long,
 * the unsigned ones {@link Unsigned}, {@code float} Float, {@code double} Double, decimals {@link
 * Decimal}, {@code char} {@link AmqpChar}, {@code timestamp} {@link Timestamp}, {@code uuid} UUID,
 * {@code binary} byte[], {@code string} String, {@code symbol} {@link Symbol}, {@code list} List,
 * {@code map} Map in the order of the wire, {@code array} {@link TypedArray}, described values
 * {@link Described}. The same types are written back as what they were.
 */
public final class AmqpValues {
  private AmqpValues() {}

  /**
   * Decodes the next value, after {@link ValueCheck} has found it bounded.
   *
   * @throws AmqpDecodeException when the bytes are malformed or ask for more memory than the budget
   */
  public static @Nullable Object decode(AmqpReader reader) {
    throw new UnsupportedOperationException();
  }

  /**
   * Decodes a map whose keys are texts, as strings or symbols alike (JavaScript and Python send
   * strings where others send symbols); null gives an empty map.
   *
   * @throws AmqpDecodeException when it is not such a map
   */
  public static Map<String, @Nullable Object> decodeTextMap(AmqpReader reader) {
    throw new UnsupportedOperationException();
  }

  /**
   * Writes a value of the types above.
   *
   * @throws IllegalArgumentException for any other Java type
   */
  public static void encode(ByteBuf out, @Nullable Object value) {
    throw new UnsupportedOperationException();
  }

  /** Writes a map with symbols for keys (annotations, link properties, filters, error info). */
  public static void encodeSymbolMap(ByteBuf out, Map<String, ? extends @Nullable Object> map) {
    throw new UnsupportedOperationException();
  }

  /** Writes a map with strings for keys (management bodies, application properties). */
  public static void encodeStringMap(ByteBuf out, Map<String, ? extends @Nullable Object> map) {
    throw new UnsupportedOperationException();
  }
}

package io.peeklock.kernel.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cell for one value of any type, so that reading a property makes no garbage. One setter fills
 * it; a new one is {@link ValueType#MISSING}.
 *
 * <p>Texts and binaries are borrowed: the bytes must not change while the cell is read. To keep a
 * value longer take a {@link #copy}. Times and durations count ticks of 100 ns, as clients do.
 */
public final class FilterValue {
  static final long TICKS_PER_MILLI = 10_000;
  private static final byte[] NONE = {};
  private static final BigDecimal ZERO = BigDecimal.ZERO;

  private ValueType type = ValueType.MISSING;
  private long bits;
  private long lowBits;
  private double fraction;
  private BigDecimal decimal = ZERO;
  private byte[] bytes = NONE;
  private int offset;
  private int length;

  /** A new text. */
  public static FilterValue of(String text) {
    return new FilterValue().setText(text);
  }

  public static FilterValue of(long number) {
    return new FilterValue().setWhole(ValueType.LONG, number);
  }

  public static FilterValue of(double number) {
    return new FilterValue().setDouble(number);
  }

  public static FilterValue of(boolean truth) {
    return new FilterValue().setBoolean(truth);
  }

  /** A new null. */
  public static FilterValue ofNull() {
    return new FilterValue().setNull();
  }

  /** Makes it missing: the message has no such property. */
  public FilterValue setMissing() {
    type = ValueType.MISSING;
    return this;
  }

  /** Makes it missing, and drops all references. */
  void letGo() {
    type = ValueType.MISSING;
    bytes = NONE;
    decimal = ZERO;
  }

  /** Makes it null: the property exists, and is null. */
  public FilterValue setNull() {
    type = ValueType.NULL;
    return this;
  }

  public FilterValue setBoolean(boolean truth) {
    type = ValueType.BOOLEAN;
    bits = truth ? 1 : 0;
    return this;
  }

  /**
   * Makes it an integer.
   *
   * @param width one of the integer types, able to hold the value
   */
  public FilterValue setWhole(ValueType width, long value) {
    if (!width.holds(value)) {
      throw new IllegalArgumentException(width + " does not hold " + value);
    }
    type = width;
    bits = value;
    return this;
  }

  /** Makes it an unsigned integer of 64 bits, given as on the wire. */
  public FilterValue setUnsigned(long value) {
    return value >= 0
        ? setWhole(ValueType.ULONG, value)
        : setDecimal(new BigDecimal(new BigInteger(Long.toUnsignedString(value))));
  }

  public FilterValue setFloat(float value) {
    type = ValueType.FLOAT;
    fraction = value;
    return this;
  }

  public FilterValue setDouble(double value) {
    type = ValueType.DOUBLE;
    fraction = value;
    return this;
  }

  public FilterValue setDecimal(BigDecimal value) {
    type = ValueType.DECIMAL;
    decimal = value;
    return this;
  }

  /** Makes it a text of borrowed UTF-8 bytes. */
  public FilterValue setUtf8(byte[] source, int from, int count) {
    return borrow(ValueType.TEXT, source, from, count);
  }

  public FilterValue setText(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    return setUtf8(encoded, 0, encoded.length);
  }

  /** Makes it a point in time; one beyond the range of ticks becomes the last (or first) of it. */
  public FilterValue setTimestampMillis(long millisSince1970) {
    long high = Math.multiplyHigh(millisSince1970, TICKS_PER_MILLI);
    long ticks = millisSince1970 * TICKS_PER_MILLI;
    if (high != ticks >> 63) {
      ticks = millisSince1970 < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return setTimestampTicks(ticks);
  }

  /** Makes it a point in time, in units of 100 ns since 1970 began. */
  public FilterValue setTimestampTicks(long ticksSince1970) {
    type = ValueType.TIMESTAMP;
    bits = ticksSince1970;
    return this;
  }

  public FilterValue setDurationTicks(long ticks) {
    type = ValueType.DURATION;
    bits = ticks;
    return this;
  }

  public FilterValue setGuid(long mostSignificantBits, long leastSignificantBits) {
    type = ValueType.GUID;
    bits = mostSignificantBits;
    lowBits = leastSignificantBits;
    return this;
  }

  /** Makes it a binary of borrowed bytes. */
  public FilterValue setBinary(byte[] source, int from, int count) {
    return borrow(ValueType.BINARY, source, from, count);
  }

  /** Makes it a value of a type that filters do not read, such as a list. */
  public FilterValue setOther() {
    type = ValueType.OTHER;
    return this;
  }

  private FilterValue borrow(ValueType borrowed, byte[] source, int from, int count) {
    type = borrowed;
    bytes = source;
    offset = from;
    length = count;
    return this;
  }

  /** Copies another value, borrowing its bytes. */
  FilterValue set(FilterValue other) {
    type = other.type;
    bits = other.bits;
    lowBits = other.lowBits;
    fraction = other.fraction;
    decimal = other.decimal;
    bytes = other.bytes;
    offset = other.offset;
    length = other.length;
    return this;
  }

  /** A new value with its own bytes. */
  public FilterValue copy() {
    var copy = new FilterValue().set(this);
    copy.bytes = type == ValueType.TEXT || type == ValueType.BINARY ? toBytes() : NONE;
    copy.offset = 0;
    return copy;
  }

  public ValueType type() {
    return type;
  }

  /** Whether the value is unknown: missing or null. */
  boolean isUnknown() {
    return type == ValueType.MISSING || type == ValueType.NULL;
  }

  public boolean truth() {
    return bits != 0;
  }

  /** The integer. */
  public long whole() {
    return bits;
  }

  /** Ticks of 100 ns: since 1970 for a point in time, else how many. */
  public long ticks() {
    return bits;
  }

  public long mostSignificantBits() {
    return bits;
  }

  public long leastSignificantBits() {
    return lowBits;
  }

  /** The number, of whatever type, as the nearest double. */
  public double asDouble() {
    return type.isWhole()
        ? (double) bits
        : type == ValueType.DECIMAL ? decimal.doubleValue() : fraction;
  }

  /** The integer or decimal as a decimal. */
  public BigDecimal asDecimal() {
    return type == ValueType.DECIMAL ? decimal : BigDecimal.valueOf(bits);
  }

  /** The array with the bytes of a text or binary, from {@link #offset}. */
  public byte[] bytes() {
    return bytes;
  }

  public int offset() {
    return offset;
  }

  /** How many bytes a text or binary has. */
  public int length() {
    return length;
  }

  /** The bytes of a text or binary, in a new array. */
  public byte[] toBytes() {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  /** The text. */
  public String text() {
    return new String(bytes, offset, length, StandardCharsets.UTF_8);
  }

  /** Same type and same value; {@link Comparison} has the equality of filters. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FilterValue that && type == that.type && hasValueOf(that);
  }

  private boolean hasValueOf(FilterValue that) {
    return switch (type) {
      case MISSING, NULL, OTHER -> true;
      case GUID -> bits == that.bits && lowBits == that.lowBits;
      case FLOAT, DOUBLE -> Double.compare(fraction, that.fraction) == 0;
      case DECIMAL ->
          decimal.scale() == that.decimal.scale() && decimal.compareTo(that.decimal) == 0;
      case TEXT, BINARY -> Comparison.sameBytes(this, that);
      default -> bits == that.bits;
    };
  }

  @Override
  public int hashCode() {
    return Long.hashCode(Comparison.hash(this));
  }

  @Override
  public String toString() {
    return Conversion.hasText(this) ? Conversion.toText(this) : type.toString();
  }
}

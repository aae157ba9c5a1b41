package io.peeklock.kernel.filter;

import java.util.Arrays;

/**
 * How values compare. Numbers compare by value, whatever their width and kind; texts byte by byte,
 * which is by code points, and case counts (S-353); values of different families not at all.
 */
final class Comparison {
  /**
   * The order of two numbers when one of them is not a number: no relation but {@code <>} holds.
   */
  static final int UNORDERED = 2;

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private Comparison() {}

  /** Whether the two can be compared: a text and a number, say, cannot (S-356). */
  static boolean comparable(FilterValue left, FilterValue right) {
    ValueType.Family family = left.type().family();
    return family == right.type().family() && family != ValueType.Family.NONE;
  }

  /** Whether two comparable values are equal. */
  static boolean equal(FilterValue left, FilterValue right) {
    return switch (left.type().family()) {
      case NUMBER -> orderNumbers(left, right) == 0;
      case TEXT, BINARY -> sameBytes(left, right);
      case GUID ->
          left.mostSignificantBits() == right.mostSignificantBits()
              && left.leastSignificantBits() == right.leastSignificantBits();
      default -> left.whole() == right.whole();
    };
  }

  /** The order of two comparable values: -1, 0, 1 or {@link #UNORDERED}. */
  static int order(FilterValue left, FilterValue right) {
    return switch (left.type().family()) {
      case NUMBER -> orderNumbers(left, right);
      case TEXT ->
          Integer.signum(
              Arrays.compareUnsigned(
                  left.bytes(),
                  left.offset(),
                  left.offset() + left.length(),
                  right.bytes(),
                  right.offset(),
                  right.offset() + right.length()));
      case TIMESTAMP, DURATION -> Long.compare(left.ticks(), right.ticks());
      default ->
          throw new EvaluationFailed(
              "values of type " + left.type() + " have no order: use = or <>");
    };
  }

  private static int orderNumbers(FilterValue left, FilterValue right) {
    if (left.type().isWhole() && right.type().isWhole()) {
      return Long.compare(left.whole(), right.whole());
    }
    if (isExact(left) && isExact(right)) {
      return left.asDecimal().compareTo(right.asDecimal());
    }
    double a = left.asDouble();
    double b = right.asDouble();
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : UNORDERED;
  }

  /** Whether a number is an integer or a decimal. */
  static boolean isExact(FilterValue number) {
    return number.type().isWhole() || number.type() == ValueType.DECIMAL;
  }

  static boolean sameBytes(FilterValue left, FilterValue right) {
    return Arrays.equals(
        left.bytes(),
        left.offset(),
        left.offset() + left.length(),
        right.bytes(),
        right.offset(),
        right.offset() + right.length());
  }

  /** The same number for any two values that are equal; a good spread otherwise. */
  static long hash(FilterValue value) {
    ValueType.Family family = value.type().family();
    long hash =
        switch (family) {
          case NONE -> 0;
          // all kinds of numbers meet as doubles; adding 0 makes one zero of two
          case NUMBER -> Double.doubleToLongBits(value.asDouble() + 0.0);
          case TEXT, BINARY -> hashBytes(value);
          case GUID -> value.mostSignificantBits() * 31 + value.leastSignificantBits();
          default -> value.whole();
        };
    return mix(hash + family.name().hashCode() * MIX);
  }

  private static long hashBytes(FilterValue value) {
    byte[] bytes = value.bytes();
    int end = value.offset() + value.length();
    long hash = value.length();
    for (int i = value.offset(); i < end; i++) {
      hash = (hash ^ bytes[i]) * 0x100_0000_01B3L;
    }
    return hash;
  }

  /** Spreads the bits of a number over all of its bits. */
  static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return mixed ^ (mixed >>> 31);
  }
}

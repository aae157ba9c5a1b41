package io.peeklock.kernel.filter;

import java.util.UUID;

/** Values as text, and as the type that a property had before an action changed it (S-359). */
final class Conversion {
  private static final double PLAIN_WHOLE = 1e15;

  /** Below it a double is one integer and no other. */
  private static final double EXACT_WHOLE = 0x1p53;

  private Conversion() {}

  /** Whether a value can be joined to a text. */
  static boolean hasText(FilterValue value) {
    return switch (value.type().family()) {
      case TEXT, NUMBER, BOOLEAN, GUID -> true;
      default -> false;
    };
  }

  static String toText(FilterValue value) {
    return switch (value.type()) {
      case TEXT -> value.text();
      case BOOLEAN -> value.truth() ? "True" : "False";
      case GUID -> new UUID(value.mostSignificantBits(), value.leastSignificantBits()).toString();
      case FLOAT, DOUBLE -> fractionText(value);
      case DECIMAL -> value.asDecimal().toString();
      default -> Long.toString(value.whole());
    };
  }

  private static String fractionText(FilterValue value) {
    double number = value.asDouble();
    if (number == Math.rint(number) && Math.abs(number) < PLAIN_WHOLE) {
      return Long.toString((long) number);
    }
    return value.type() == ValueType.FLOAT
        ? Float.toString((float) number)
        : Double.toString(number);
  }

  /**
   * Gives a value the type that its property had, if that loses at most the precision of a
   * fraction; otherwise leaves it.
   */
  static void adapt(FilterValue value, ValueType before) {
    if (value.type() == before || value.isUnknown()) {
      return;
    }
    if (before == ValueType.TEXT && hasText(value)) {
      value.setText(toText(value));
    } else if (before.family() == ValueType.Family.NUMBER
        && value.type().family() == ValueType.Family.NUMBER) {
      adaptNumber(value, before);
    }
  }

  private static void adaptNumber(FilterValue number, ValueType before) {
    switch (before) {
      case FLOAT -> number.setFloat((float) number.asDouble());
      case DOUBLE -> number.setDouble(number.asDouble());
      case DECIMAL -> {
        if (Comparison.isExact(number)) {
          number.setDecimal(number.asDecimal());
        }
      }
      default -> adaptToWhole(number, before);
    }
  }

  private static void adaptToWhole(FilterValue number, ValueType before) {
    double nearest = number.asDouble();
    long whole = number.type().isWhole() ? number.whole() : (long) nearest;
    boolean exact =
        number.type().isWhole()
            || (number.type() != ValueType.DECIMAL
                && whole == nearest
                && Math.abs(nearest) < EXACT_WHOLE);
    if (exact && before.holds(whole)) {
      number.setWhole(before, whole);
    }
  }
}

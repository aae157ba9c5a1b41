package io.peeklock.kernel.filter;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Sums and products. Integers of any width are computed in 64 bits, decimals in 34 digits, anything
 * with a fraction in double precision (S-354); what does not fit or divides by zero fails.
 */
final class Arithmetic {
  /** The longest text of a concatenation: the most that one property can have. */
  static final int MAX_TEXT_BYTES = 32 << 10;

  private Arithmetic() {}

  /** Puts the result into a cell, which may be the left operand's, and returns it. */
  static FilterValue apply(
      ArithmeticOperator operator, FilterValue left, FilterValue right, FilterValue into) {
    if (left.isUnknown() || right.isUnknown()) {
      return into.setNull();
    }
    boolean numbers =
        left.type().family() == ValueType.Family.NUMBER
            && right.type().family() == ValueType.Family.NUMBER;
    if (numbers) {
      return numbers(operator, left, right, into);
    }
    boolean text = left.type() == ValueType.TEXT || right.type() == ValueType.TEXT;
    if (text
        && operator == ArithmeticOperator.PLUS
        && Conversion.hasText(left)
        && Conversion.hasText(right)) {
      return join(left, right, into);
    }
    return times(operator, left, right, into);
  }

  private static FilterValue numbers(
      ArithmeticOperator operator, FilterValue left, FilterValue right, FilterValue into) {
    if (operator.divides() && isZero(right)) {
      throw new EvaluationFailed("a number is divided by zero");
    }
    try {
      if (left.type().isWhole() && right.type().isWhole()) {
        return into.setWhole(ValueType.LONG, whole(operator, left.whole(), right.whole()));
      }
      if (Comparison.isExact(left) && Comparison.isExact(right)) {
        return into.setDecimal(decimal(operator, left.asDecimal(), right.asDecimal()));
      }
      return into.setDouble(fraction(operator, left.asDouble(), right.asDouble()));
    } catch (ArithmeticException outside) {
      throw new EvaluationFailed("the result of " + operator.sign() + " is too large");
    }
  }

  private static long whole(ArithmeticOperator operator, long left, long right) {
    return switch (operator) {
      case PLUS -> Math.addExact(left, right);
      case MINUS -> Math.subtractExact(left, right);
      case TIMES -> Math.multiplyExact(left, right);
      case DIVIDE -> Math.divideExact(left, right);
      case MODULO -> left % right;
    };
  }

  private static BigDecimal decimal(
      ArithmeticOperator operator, BigDecimal left, BigDecimal right) {
    return switch (operator) {
      case PLUS -> left.add(right, MathContext.DECIMAL128);
      case MINUS -> left.subtract(right, MathContext.DECIMAL128);
      case TIMES -> left.multiply(right, MathContext.DECIMAL128);
      case DIVIDE -> left.divide(right, MathContext.DECIMAL128);
      case MODULO -> left.remainder(right, MathContext.DECIMAL128);
    };
  }

  private static double fraction(ArithmeticOperator operator, double left, double right) {
    return switch (operator) {
      case PLUS -> left + right;
      case MINUS -> left - right;
      case TIMES -> left * right;
      case DIVIDE -> left / right;
      case MODULO -> left % right;
    };
  }

  private static boolean isZero(FilterValue number) {
    return number.type().isWhole()
        ? number.whole() == 0
        : number.type() == ValueType.DECIMAL
            ? number.asDecimal().signum() == 0
            : number.asDouble() == 0;
  }

  private static FilterValue join(FilterValue left, FilterValue right, FilterValue into) {
    byte[] head = utf8(left);
    byte[] tail = utf8(right);
    int length = head.length + tail.length;
    if (length > MAX_TEXT_BYTES) {
      throw new EvaluationFailed("a joined text is longer than " + MAX_TEXT_BYTES + " bytes");
    }
    byte[] joined = Arrays.copyOf(head, length);
    System.arraycopy(tail, 0, joined, head.length, tail.length);
    return into.setUtf8(joined, 0, length);
  }

  private static byte[] utf8(FilterValue value) {
    return value.type() == ValueType.TEXT
        ? value.toBytes()
        : Conversion.toText(value).getBytes(StandardCharsets.UTF_8);
  }

  private static FilterValue times(
      ArithmeticOperator operator, FilterValue left, FilterValue right, FilterValue into) {
    boolean minus = operator == ArithmeticOperator.MINUS;
    boolean leftPoint = left.type() == ValueType.TIMESTAMP;
    boolean rightPoint = right.type() == ValueType.TIMESTAMP;
    if (!isDefined(operator, left, right)) {
      throw undefined(operator, left, right);
    }
    try {
      long ticks =
          minus
              ? Math.subtractExact(left.ticks(), right.ticks())
              : Math.addExact(left.ticks(), right.ticks());
      return leftPoint != rightPoint ? into.setTimestampTicks(ticks) : into.setDurationTicks(ticks);
    } catch (ArithmeticException outside) {
      throw new EvaluationFailed("the result of " + operator.sign() + " is too far away");
    }
  }

  /**
   * Whether the operation is defined: durations add up, and the difference of two times is a
   * duration.
   */
  private static boolean isDefined(
      ArithmeticOperator operator, FilterValue left, FilterValue right) {
    boolean leftPoint = left.type() == ValueType.TIMESTAMP;
    boolean rightPoint = right.type() == ValueType.TIMESTAMP;
    boolean ofTime =
        (leftPoint || left.type() == ValueType.DURATION)
            && (rightPoint || right.type() == ValueType.DURATION);
    return switch (operator) {
      case PLUS -> ofTime && !(leftPoint && rightPoint);
      case MINUS -> ofTime && (leftPoint || !rightPoint);
      default -> false;
    };
  }

  private static EvaluationFailed undefined(
      ArithmeticOperator operator, FilterValue left, FilterValue right) {
    return new EvaluationFailed(
        operator.sign() + " is not defined for " + left.type() + " and " + right.type());
  }

  /** Puts the negated value into a cell, and returns it. */
  static FilterValue negate(FilterValue value, FilterValue into) {
    if (value.isUnknown()) {
      return into.setNull();
    }
    return switch (value.type()) {
      case FLOAT, DOUBLE -> into.setDouble(-value.asDouble());
      case DECIMAL -> into.setDecimal(value.asDecimal().negate());
      case DURATION -> into.setDurationTicks(negate(value.ticks()));
      default -> {
        requireNumber(value);
        yield into.setWhole(ValueType.LONG, negate(value.whole()));
      }
    };
  }

  private static long negate(long number) {
    if (number == Long.MIN_VALUE) {
      throw new EvaluationFailed("the result of - is too large");
    }
    return -number;
  }

  /** Refuses a value that has no sign. */
  static void requireNumber(FilterValue value) {
    if (value.type().family() != ValueType.Family.NUMBER && value.type() != ValueType.DURATION) {
      throw new EvaluationFailed("a value of type " + value.type() + " has no sign");
    }
  }
}

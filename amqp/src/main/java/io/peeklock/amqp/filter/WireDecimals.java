package io.peeklock.amqp.filter;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.kernel.filter.FilterValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decimals of IEEE 754 in the encoding with a binary coefficient, which is what clients write: a
 * sign bit, an exponent, the coefficient. Infinities and what is no number are nothing that filters
 * look into.
 *
 * <p>.NET's library shifts the exponent of its decimals wrongly, so that 12.25 comes as 1225E-4610.
 * It takes back what it wrote, and right ones too; but no number of more than 96 bits or 28 digits
 * behind the point, with which its receiver fails.
 */
final class WireDecimals {
  private static final int EXPONENT_BITS_32 = 8;
  private static final int EXPONENT_BITS_64 = 10;
  private static final int EXPONENT_BITS_128 = 14;
  private static final int BIAS_32 = 101;
  private static final int BIAS_64 = 398;
  private static final int BIAS_128 = 6_176;
  private static final int COEFFICIENT_BITS_128 = 113;

  /** What .NET writes for no digits behind the point; each digit more is one less. */
  private static final int NET_EXPONENT = -4_608;

  private static final int NET_SCALE = 28;
  private static final int NET_BITS = 96;

  /** As many digits as always fit into {@link #NET_BITS}. */
  private static final int NET_DIGITS = 28;

  private WireDecimals() {}

  static void read(AmqpReader from, byte[] bytes, FilterValue into) {
    var code = from.peekCode();
    var start = from.position() + 1;
    from.skip();
    var bits = new BigInteger(1, Arrays.copyOfRange(bytes, start, from.position()));
    switch (code) {
      case FormatCode.DECIMAL32 -> set(bits, 32, EXPONENT_BITS_32, BIAS_32, into);
      case FormatCode.DECIMAL64 -> set(bits, 64, EXPONENT_BITS_64, BIAS_64, into);
      default -> set(bits, 128, EXPONENT_BITS_128, BIAS_128, into);
    }
  }

  private static void set(
      BigInteger bits, int width, int exponentBits, int bias, FilterValue into) {
    var coefficientBits = width - 1 - exponentBits;
    var steering = bits.shiftRight(width - 3).intValue() & 3;
    var exponentAt = coefficientBits;
    var coefficient = bits.and(ones(coefficientBits));
    if (steering == 3) { // a coefficient with its top three bits implied, or no number
      if ((bits.shiftRight(width - 5).intValue() & 3) == 3) {
        into.setOther();
        return;
      }
      exponentAt = coefficientBits - 2;
      coefficient = bits.and(ones(exponentAt)).or(BigInteger.ONE.shiftLeft(coefficientBits));
    }
    var exponent = bits.shiftRight(exponentAt).and(ones(exponentBits)).intValue() - bias;
    var isNet = width == 128 && exponent <= NET_EXPONENT && exponent >= NET_EXPONENT - NET_SCALE;
    var value = new BigDecimal(coefficient, isNet ? NET_EXPONENT - exponent : -exponent);
    into.setDecimal(bits.testBit(width - 1) ? value.negate() : value);
  }

  private static BigInteger ones(int bits) {
    return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }

  /**
   * Writes one of 128 bits, rounded to what .NET reads; what is too large for that becomes the
   * nearest double.
   */
  static void write(ByteBuf out, BigDecimal exact) {
    var value = rounded(exact);
    if (value == null) {
      AmqpWriter.writeDouble(out, exact.doubleValue());
      return;
    }
    var exponent = BIAS_128 - value.scale();
    var coefficient = value.unscaledValue().abs();
    var bits = coefficient.or(BigInteger.valueOf(exponent).shiftLeft(COEFFICIENT_BITS_128));
    if (value.signum() < 0) {
      bits = bits.setBit(127);
    }
    out.writeByte(FormatCode.DECIMAL128);
    out.writeLong(bits.shiftRight(64).longValue());
    out.writeLong(bits.longValue());
  }

  /** The nearest number that .NET can have; null for one that is too large. */
  private static @Nullable BigDecimal rounded(BigDecimal value) {
    if ((long) value.precision() - value.scale() > NET_DIGITS + 1) {
      return value.signum() == 0 ? BigDecimal.ZERO : null;
    }
    var scaled = value.setScale(Math.clamp(value.scale(), 0, NET_SCALE), RoundingMode.HALF_EVEN);
    if (fits(scaled)) {
      return scaled;
    }
    var fewer = scaled.scale() - Math.max(1, scaled.precision() - NET_DIGITS);
    var shorter = fewer < 0 ? scaled : scaled.setScale(fewer, RoundingMode.HALF_EVEN);
    return fits(shorter) ? shorter : null;
  }

  private static boolean fits(BigDecimal value) {
    return value.unscaledValue().abs().bitLength() <= NET_BITS;
  }
}

package io.peeklock.amqp.engine.codec;

/** The IEEE 754 decimals of AMQP, kept as raw bits: nobody here computes with them. */
public sealed interface Decimal {
  /**
   * A {@code decimal32}.
   *
   * @param bits the four bytes of the wire
   */
  record Decimal32(int bits) implements Decimal {}

  /**
   * A {@code decimal64}.
   *
   * @param bits the eight bytes of the wire
   */
  record Decimal64(long bits) implements Decimal {}

  /**
   * A {@code decimal128}.
   *
   * @param highBits the first eight bytes of the wire
   * @param lowBits the last eight bytes of the wire
   */
  record Decimal128(long highBits, long lowBits) implements Decimal {}
}

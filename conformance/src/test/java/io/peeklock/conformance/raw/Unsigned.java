package io.peeklock.conformance.raw;

/**
 * An unsigned AMQP number.
 *
 * @param bytes 1, 2, 4 or 8
 * @param value at most 2^63-1, which is enough here
 */
public record Unsigned(int bytes, long value) {
  /** An AMQP ubyte. */
  public static Unsigned ubyte(long value) {
    return new Unsigned(1, value);
  }

  /** An AMQP ushort. */
  public static Unsigned ushort(long value) {
    return new Unsigned(2, value);
  }

  /** An AMQP uint. */
  public static Unsigned uint(long value) {
    return new Unsigned(4, value);
  }

  /** An AMQP ulong. */
  public static Unsigned ulong(long value) {
    return new Unsigned(8, value);
  }
}

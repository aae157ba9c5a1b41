package io.peeklock.amqp.engine.codec;

/** The unsigned integers of AMQP, which Java has no types for. */
public sealed interface Unsigned {
  /** The value as 64 bits; for {@link Ulong} to be read as unsigned. */
  long value();

  /**
   * A {@code ubyte}.
   *
   * @param value 0 to 255
   */
  record Ubyte(long value) implements Unsigned {
    public Ubyte {
      requireBits(value, 8);
    }
  }

  /**
   * A {@code ushort}.
   *
   * @param value 0 to 65535
   */
  record Ushort(long value) implements Unsigned {
    public Ushort {
      requireBits(value, 16);
    }
  }

  /**
   * A {@code uint}.
   *
   * @param value 0 to 2^32-1
   */
  record Uint(long value) implements Unsigned {
    public Uint {
      requireBits(value, 32);
    }
  }

  /**
   * A {@code ulong}.
   *
   * @param value all 64 bits, to be read as unsigned
   */
  record Ulong(long value) implements Unsigned {}

  private static void requireBits(long value, int bits) {
    if (value >>> bits != 0) {
      throw new IllegalArgumentException(value + " does not fit " + bits + " unsigned bits");
    }
  }
}

package io.peeklock.codec;

import io.peeklock.kernel.Invariant;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes the fields of records; the mirror of {@link FactReader}. */
final class FactWriter {
  private final ByteBuffer out;

  FactWriter(ByteBuffer out) {
    this.out = out;
  }

  void oneByte(int value) {
    out.put((byte) value);
  }

  void flag(boolean value) {
    out.put((byte) (value ? 1 : 0));
  }

  /** Seven bits a byte, lowest first; the top bit says that more follow. */
  void unsigned(long value) {
    var rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  /** Short for values near zero on both sides. */
  void signed(long value) {
    unsigned((value << 1) ^ (value >> 63));
  }

  void natural(int value) {
    Invariant.check(value >= 0, "counts and sizes are never negative");
    unsigned(value);
  }

  void text(String value) {
    var bytes = value.getBytes(StandardCharsets.UTF_8);
    natural(bytes.length);
    out.put(bytes);
  }

  void bytes(byte[] value) {
    natural(value.length);
    out.put(value);
  }

  /** The first as it is, each further one as its distance from the one before. */
  void distances(long[] values, long start) {
    var before = start;
    for (var value : values) {
      signed(value - before);
      before = value;
    }
  }

  /** Eight bytes each, lowest first. */
  void words(long[] values) {
    for (var value : values) {
      out.putLong(value);
    }
  }

  void naturals(int[] values) {
    for (var value : values) {
      natural(value);
    }
  }
}

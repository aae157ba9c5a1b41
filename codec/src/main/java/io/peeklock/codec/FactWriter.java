package io.peeklock.codec;

import io.peeklock.kernel.DeadLetterCause;
import io.peeklock.kernel.Invariant;

/**
 * Takes the fields of records; the mirror of {@link FactReader}. One kind writes them, the other
 * counts their bytes, so that what is reserved for a record cannot differ from what it takes.
 */
abstract class FactWriter {

  abstract void oneByte(int value);

  /** Seven bits a byte, lowest first; the top bit says that more follow. */
  abstract void unsigned(long value);

  abstract void text(String value);

  abstract void bytes(byte[] value);

  /** Eight bytes each, lowest first. */
  abstract void words(long[] values);

  final void flag(boolean value) {
    oneByte(value ? 1 : 0);
  }

  final void cause(DeadLetterCause value) {
    oneByte(value.code());
  }

  /** Short for values near zero on both sides. */
  final void signed(long value) {
    unsigned((value << 1) ^ (value >> 63));
  }

  final void natural(int value) {
    Invariant.check(value >= 0, "counts and sizes are never negative");
    unsigned(value);
  }

  /** The first as it is, each further one as its distance from the one before. */
  final void distances(long[] values, long start) {
    var before = start;
    for (var value : values) {
      signed(value - before);
      before = value;
    }
  }

  final void naturals(int[] values) {
    for (var value : values) {
      natural(value);
    }
  }
}

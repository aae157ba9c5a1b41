package io.peeklock.codec;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes the fields of records; the mirror of {@link FactReader}. One subclass writes them, another
 * counts their bytes, so that the reserved bytes of a record cannot differ from the written ones.
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

  /** Short for values near zero on both sides. */
  final void signed(long value) {
    unsigned((value << 1) ^ (value >> 63));
  }

  final void natural(int value) {
    Invariant.check(value >= 0, "counts and sizes are never negative");
    unsigned(value);
  }

  /** Writes the first value as it is, and each further one as its distance from the one before. */
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

  final void queue(QueueId value) {
    natural(value.number());
  }

  /** Messages of a queue, by their sequence numbers. */
  final void messages(QueueId queue, long[] sequenceNumbers) {
    queue(queue);
    natural(sequenceNumbers.length);
    distances(sequenceNumbers, 0);
  }

  final void cause(DeadLetterCause value) {
    oneByte(value.code());
  }

  final void causes(DeadLetterCause[] values) {
    for (var value : values) {
      cause(value);
    }
  }

  final void overlay(Fact.@Nullable StoredOverlay value) {
    flag(value != null);
    if (value != null) {
      unsigned(value.bodyId());
      natural(value.bytes());
    }
  }

  /**
   * Writes texts that repeat. A new text is 0 and the text; a repeated one is its index among the
   * new ones, from 1.
   */
  final void texts(String[] values) {
    var known = new HashMap<String, Integer>();
    for (var value : values) {
      var place = known.putIfAbsent(value, known.size() + 1);
      natural(place == null ? 0 : place);
      if (place == null) {
        text(value);
      }
    }
  }
}

package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;

/**
 * One bounded pass over encoded values, before anything is built of them: known constructors, sizes
 * within the enclosing value, counts that fit the bytes left, zero-width array elements at most
 * once, nesting at most 32, and a budget for what decoding would cost. It allocates nothing and
 * throws nothing ({@code amqp.md} 14.4, {@code reliability.md} 5.6, D-7).
 *
 * <p>The budget is one aggregate for everything checked since {@link #start}: 16 times the bytes
 * plus 64 KiB, and never more than 1 MiB. Reusable; not for two threads.
 */
public final class ValueCheck {
  /** The deepest nesting that passes. */
  public static final int MAX_DEPTH = 32;

  /** Starts a new aggregate budget for {@code inputBytes} of input. */
  public void start(int inputBytes) {
    throw new UnsupportedOperationException();
  }

  /**
   * Checks one value.
   *
   * @param offset the absolute index of its constructor
   * @param end the absolute index that it must not cross
   * @return the absolute index behind it, or a negative number: see {@link #problem}
   */
  public int check(ByteBuf buffer, int offset, int end) {
    throw new UnsupportedOperationException();
  }

  /** What was wrong with the value that was checked last. */
  public String problem() {
    throw new UnsupportedOperationException();
  }
}

package io.peeklock.http;

import java.util.concurrent.TimeUnit;

/**
 * How long a connection is still heard that has had its last answer. Closing while the peer still
 * sends would take the answer away from it (RFC 9112 9.6), and it may listen at its end only; but
 * nobody gets more of that than a while and some bytes.
 */
final class Linger {
  /** After so long without a byte it ends. */
  static final long SILENCE_MILLIS = 1_000;

  /** After so many bytes, of an authenticated one: a body of the largest size or so. */
  static final long MOST_BYTES = 64L << 20;

  /** After so many, of an unauthenticated client. */
  static final long UNAUTHENTICATED_BYTES = 1L << 20;

  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final long endNanos;
  private long leftBytes;

  Linger(boolean known, long nowNanos) {
    leftBytes = known ? MOST_BYTES : UNAUTHENTICATED_BYTES;
    endNanos = nowNanos + LONGEST_NANOS;
  }

  /** Bytes came, to be thrown away: whether it may go on at all. */
  boolean takes(int bytes) {
    leftBytes -= bytes;
    return leftBytes >= 0;
  }

  /** Whether a silence begins anew with what came. */
  boolean isEarly(long nowNanos) {
    return endNanos - nowNanos > 0;
  }
}

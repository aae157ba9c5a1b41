package io.peeklock.transport;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/**
 * About how many handshakes were computed lately for each origin without a login behind them: half
 * of them are forgotten every ten seconds. It takes the same memory however many origins there are,
 * for which it may say too much of one, and never too little. For one thread at a time.
 */
final class RecentHandshakes {
  private static final long HALVED_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int ROW_BITS = 14;

  /** After so many halvings nothing is left. */
  private static final int MOST_HALVINGS = 31;

  private final int[] first = new int[1 << ROW_BITS];
  private final int[] second = new int[1 << ROW_BITS];

  /** Odd, and nobody else's: who chooses his addresses cannot choose with whom he is counted. */
  private final long firstSeed;

  private final long secondSeed;
  private long halvedNanos;
  private long halvings;

  RecentHandshakes(long nowNanos) {
    var secret = new SecureRandom();
    this.firstSeed = secret.nextLong() | 1;
    this.secondSeed = secret.nextLong() | 1;
    this.halvedNanos = nowNanos;
  }

  /** Where those of an origin are counted. */
  Count of(ClientAddress origin) {
    return new Count(place(origin, firstSeed), place(origin, secondSeed));
  }

  private static int place(ClientAddress origin, long seed) {
    var name = origin.name();
    var mixed = seed;
    for (var i = 0; i < name.length(); i++) {
      mixed = (mixed ^ name.charAt(i)) * seed;
      mixed ^= mixed >>> 29;
    }
    return (int) ((mixed * seed) >>> (Long.SIZE - ROW_BITS));
  }

  /** Forgets what is to be forgotten by now. */
  void halve(long nowNanos) {
    var due = (nowNanos - halvedNanos) / HALVED_AFTER_NANOS;
    if (due <= 0) {
      return;
    }
    halvedNanos += due * HALVED_AFTER_NANOS;
    halvings += due;
    var bits = (int) Math.min(due, MOST_HALVINGS);
    for (var i = 0; i < first.length; i++) {
      first[i] >>= bits;
      second[i] >>= bits;
    }
  }

  /** Those of one origin, and of whoever is counted in both of its places. */
  final class Count {
    private final int inFirst;
    private final int inSecond;

    private Count(int inFirst, int inSecond) {
      this.inFirst = inFirst;
      this.inSecond = inSecond;
    }

    /**
     * One is computed.
     *
     * @return what {@link #takeBack} wants to know
     */
    long computed() {
      first[inFirst]++;
      second[inSecond]++;
      return halvings;
    }

    /**
     * Who asked for it has logged in, and it counts no longer. What was halved since stays: nobody
     * can say whose half was forgotten.
     */
    void takeBack(long computed) {
      if (computed == halvings) {
        first[inFirst]--;
        second[inSecond]--;
      }
    }

    /** About how many were computed, up to the last {@link #halve}. */
    int lately() {
      return Math.min(first[inFirst], second[inSecond]);
    }
  }
}

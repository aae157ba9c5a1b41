package io.peeklock.transport;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * About how many handshakes each origin asked for lately without a login behind them: half of them
 * are forgotten every ten seconds. It takes the same memory however many origins there are, for
 * which it may say too much of one, and never too little. For one thread at a time.
 */
final class RecentHandshakes {
  private static final long HALVED_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int ROW_BITS = 14;

  /** After so many halvings nothing is left. */
  private static final int MOST_HALVINGS = 31;

  private final int[] first = new int[1 << ROW_BITS];
  private final int[] second = new int[1 << ROW_BITS];

  /**
   * Odd, and nobody else's: whoever chooses his addresses cannot choose with whom he is counted.
   */
  private final long firstSeed = ThreadLocalRandom.current().nextLong() | 1;

  private final long secondSeed = ThreadLocalRandom.current().nextLong() | 1;
  private long halvedNanos;

  RecentHandshakes(long nowNanos) {
    this.halvedNanos = nowNanos;
  }

  /** One is asked for. */
  void asked(Origin origin, long nowNanos) {
    halve(nowNanos);
    first[place(origin, firstSeed)]++;
    second[place(origin, secondSeed)]++;
  }

  /** Who asked has logged in, and it counts no longer. */
  void loggedIn(Origin origin) {
    takeOne(first, place(origin, firstSeed));
    takeOne(second, place(origin, secondSeed));
  }

  private static void takeOne(int[] row, int place) {
    row[place] = Math.max(0, row[place] - 1);
  }

  /** About how many it asked for lately. */
  int of(Origin origin) {
    return Math.min(first[place(origin, firstSeed)], second[place(origin, secondSeed)]);
  }

  private void halve(long nowNanos) {
    var halvings = (nowNanos - halvedNanos) / HALVED_AFTER_NANOS;
    if (halvings <= 0) {
      return;
    }
    halvedNanos += halvings * HALVED_AFTER_NANOS;
    var bits = (int) Math.min(halvings, MOST_HALVINGS);
    for (var i = 0; i < first.length; i++) {
      first[i] >>= bits;
      second[i] >>= bits;
    }
  }

  private static int place(Origin origin, long seed) {
    var name = origin.name();
    var mixed = seed;
    for (var i = 0; i < name.length(); i++) {
      mixed = (mixed ^ name.charAt(i)) * seed;
      mixed ^= mixed >>> 29;
    }
    return (int) ((mixed * seed) >>> (Long.SIZE - ROW_BITS));
  }
}

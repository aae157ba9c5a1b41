package io.peeklock.amqp.engine;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Runs {@link FuzzedConnection} over many seeds. A few seconds by default; for longer, give {@code
 * -Dfuzz.seeds=1000000} and, to start elsewhere, {@code -Dfuzz.first=12345}, through surefire's
 * {@code argLine}. A failure names its seed.
 */
class EngineFuzzTest {
  private static final int STEPS = 400;

  @Test
  void noSeedBreaksAnInvariant() {
    long first = Long.getLong("fuzz.first", 1);
    long last = first + Long.getLong("fuzz.seeds", 3_000);
    for (long seed = first; seed < last; seed++) {
      run(seed);
    }
  }

  private static void run(long seed) {
    try {
      new FuzzedConnection(new Seeded(seed)).run(STEPS);
    } catch (AssertionError | RuntimeException broken) {
      throw new AssertionError("seed " + seed + " broke an invariant", broken);
    }
  }

  /** Chance out of a seed. */
  private static final class Seeded implements FuzzedConnection.Chance {
    private final Random random;

    Seeded(long seed) {
      random = new Random(seed);
    }

    @Override
    public int below(int bound) {
      return random.nextInt(bound);
    }

    @Override
    public boolean hasMore() {
      return true;
    }
  }
}

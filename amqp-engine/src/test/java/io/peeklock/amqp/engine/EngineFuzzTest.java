package io.peeklock.amqp.engine;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Runs {@link FuzzedConnection} over many seeds: a few seconds by default; for longer, give {@code
 * -Dfuzz.seeds=1000000} and, to start elsewhere, {@code -Dfuzz.first=12345}, through surefire's
 * {@code argLine}. A failure names its seed.
 *
 * <p>And over inputs that Jazzer finds by coverage: with {@code JAZZER_FUZZ=1} in the environment
 * it searches for {@value #MOST_TIME}; without, it replays the inputs that are kept beside this
 * class's resources, an empty one at least.
 */
class EngineFuzzTest {
  private static final int STEPS = 400;
  private static final int MOST_STEPS = 2_000;
  private static final String MOST_TIME = "10m";

  @Test
  void noSeedBreaksAnInvariant() {
    long first = Long.getLong("fuzz.first", 1);
    long last = first + Long.getLong("fuzz.seeds", 3_000);
    for (long seed = first; seed < last; seed++) {
      run(seed);
    }
  }

  @FuzzTest(maxDuration = MOST_TIME)
  void noInputBreaksAnInvariant(byte[] input) {
    new FuzzedConnection(new Bytes(input)).run(MOST_STEPS);
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

  /** Chance out of bytes: one for small choices, four for large ones; 0 once they are used up. */
  private static final class Bytes implements FuzzedConnection.Chance {
    private final byte[] bytes;
    private int at;

    Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int below(int bound) {
      int value = next();
      if (bound > 256) {
        value = value << 24 | next() << 16 | next() << 8 | next();
      }
      return Math.floorMod(value, bound);
    }

    @Override
    public boolean hasMore() {
      return at < bytes.length;
    }

    private int next() {
      return hasMore() ? bytes[at++] & 0xff : 0;
    }
  }
}

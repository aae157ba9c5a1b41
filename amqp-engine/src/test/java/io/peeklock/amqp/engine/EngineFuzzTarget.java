package io.peeklock.amqp.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The way in for coverage-guided fuzzing. Jazzer finds {@link #fuzzerTestOneInput} by its name; it
 * runs outside of JUnit, because its JUnit binding is built for an older platform:
 *
 * <pre>
 * java -cp jazzer.jar:classes:test-classes:... com.code_intelligence.jazzer.Jazzer \
 *     --target_class=io.peeklock.amqp.engine.EngineFuzzTarget -max_total_time=600
 * </pre>
 *
 * <p>{@code main} replays inputs that were found, one file each.
 */
public final class EngineFuzzTarget {
  private static final int MOST_STEPS = 2_000;

  private EngineFuzzTarget() {}

  /** Reads the input as choices; throws when an invariant breaks. */
  public static void fuzzerTestOneInput(byte[] input) {
    new FuzzedConnection(new Bytes(input)).run(MOST_STEPS);
  }

  public static void main(String[] files) throws IOException {
    for (String file : files) {
      fuzzerTestOneInput(Files.readAllBytes(Path.of(file)));
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

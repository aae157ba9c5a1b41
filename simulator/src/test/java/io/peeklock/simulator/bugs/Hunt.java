package io.peeklock.simulator.bugs;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Plays seed after seed until a bug is found. */
final class Hunt {
  /** Within so many seeds each bug must be found. */
  static final int MAX_SEEDS = 2_000;

  private static final int STEPS = 500;

  private Hunt() {}

  /**
   * What was found.
   *
   * @param seed that found it, from 1
   * @param step of that seed, from 0
   * @param kind of find, by what was thrown
   * @param message what was said
   */
  record Find(long seed, int step, String kind, String message) {}

  /** Null when none of so many seeds finds it. */
  static @Nullable Find of(SeededBug bug, int seeds) {
    LongFunction<?> player = BrokenBroker.with(bug).player(STEPS);
    for (var seed = 1L; seed <= seeds; seed++) {
      if (player.apply(seed) instanceof String found) {
        var lines = found.split("\n", 4);
        return new Find(seed, Integer.parseInt(lines[0]), lines[1], lines[2]);
      }
    }
    return null;
  }
}

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
  record Find(long seed, int step, String kind, String message) {
    private static final int MAX_CHARACTERS = 90;

    /** What was said, short, without the types of what was thrown. */
    String words() {
      var said = message.replaceAll("(?:[a-z]+\\.)+[A-Za-z$]*: ", "").replace("|", "/");
      return said.length() > MAX_CHARACTERS ? said.substring(0, MAX_CHARACTERS) + "…" : said;
    }
  }

  /** Null when none of so many seeds finds it. */
  static @Nullable Find of(SeededBug bug, int seeds) {
    return of(bug, seeds, Long.MAX_VALUE);
  }

  /** The same, which no seed begins after so long. */
  static @Nullable Find of(SeededBug bug, int seeds, long mostNanos) {
    var broken = BrokenBroker.with(bug).player(STEPS);
    var began = System.nanoTime();
    for (var seed = 1L; seed <= seeds && System.nanoTime() - began < mostNanos; seed++) {
      var lines = lines(broken, seed);
      if (lines.length > 1 && !isFoundWithoutBug(seed)) {
        return new Find(seed, Integer.parseInt(lines[1]), lines[2], lines[3]);
      }
    }
    return null;
  }

  /** A seed that finds something anyway says nothing about a bug. */
  private static boolean isFoundWithoutBug(long seed) {
    return lines(BrokenBroker.withoutBug().player(STEPS), seed).length > 1;
  }

  private static String[] lines(LongFunction<?> player, long seed) {
    return player.apply(seed).toString().split("\n", 5);
  }
}

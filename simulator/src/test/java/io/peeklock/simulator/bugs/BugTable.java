package io.peeklock.simulator.bugs;

import java.util.List;
import java.util.Locale;

/** Hunts bugs, and says which seed found each. */
final class BugTable {
  private BugTable() {}

  private static final long SECOND_NANOS = 1_000_000_000;

  /**
   * Words are how many seeds each bug gets, for how many seconds, and parts of names; without them
   * it is all bugs.
   */
  public static void main(String[] words) {
    var seeds = words.length > 0 ? Integer.parseInt(words[0]) : Hunt.MAX_SEEDS;
    var nanos = words.length > 1 ? Long.parseLong(words[1]) * SECOND_NANOS : Long.MAX_VALUE;
    var parts = words.length > 2 ? List.of(words).subList(2, words.length) : List.of("");
    for (var bug : SeededBugs.ALL) {
      if (parts.stream().anyMatch(bug.name()::contains)) {
        System.out.println(row(bug, seeds, nanos));
      }
    }
  }

  /** As the table has it: what it is, what it breaks, which seed found it, and what was said. */
  private static String row(SeededBug bug, int seeds, long nanos) {
    var find = Hunt.of(bug, seeds, nanos);
    return "| "
        + bug.name()
        + " | "
        + bug.breaks()
        + " | "
        + word(bug.kind())
        + " | "
        + (find == null ? "not found | |" : find.seed() + " | " + find.words() + " |");
  }

  static String word(SeededBug.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}

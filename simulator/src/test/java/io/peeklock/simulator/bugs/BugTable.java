package io.peeklock.simulator.bugs;

import java.util.List;

/** Hunts bugs, and says which seed found each. */
final class BugTable {
  private BugTable() {}

  /** Words are a number of seeds, and parts of names; without them it is all bugs. */
  public static void main(String[] words) {
    var seeds = words.length > 0 ? Integer.parseInt(words[0]) : Hunt.MAX_SEEDS;
    var parts = words.length > 1 ? List.of(words).subList(1, words.length) : List.of("");
    for (var bug : SeededBugs.ALL) {
      if (parts.stream().anyMatch(bug.name()::contains)) {
        System.out.println(row(bug, seeds));
      }
    }
  }

  private static String row(SeededBug bug, int seeds) {
    var began = System.nanoTime();
    try {
      var find = Hunt.of(bug, seeds);
      var millis = (System.nanoTime() - began) / 1_000_000;
      return find == null
          ? "NOT FOUND " + bug + " in " + millis + " ms"
          : find.seed()
              + " "
              + bug
              + ": "
              + find.kind()
              + ": "
              + find.message()
              + " ("
              + millis
              + " ms)";
    } catch (IllegalStateException broken) {
      return "BROKEN " + bug + ": " + broken.getMessage();
    }
  }
}

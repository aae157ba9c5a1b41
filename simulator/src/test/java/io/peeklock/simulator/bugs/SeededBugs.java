package io.peeklock.simulator.bugs;

import java.util.List;
import java.util.stream.Stream;

/** All of them, in the order of the table. */
final class SeededBugs {
  static final List<SeededBug> ALL =
      Stream.of(JournalBugs.ALL, RuntimeBugs.ALL, KernelBugs.ALL, PastBugs.ALL)
          .flatMap(List::stream)
          .toList();

  private SeededBugs() {}

  /** The one of this name. */
  static SeededBug named(String name) {
    return ALL.stream()
        .filter(bug -> bug.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no bug is called \"" + name + "\""));
  }
}

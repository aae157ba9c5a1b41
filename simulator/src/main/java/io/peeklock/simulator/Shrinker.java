package io.peeklock.simulator;

import io.peeklock.simulator.history.Auditor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Leaves steps out of a run for as long as the same is found in what is left. */
final class Shrinker {
  private static final int MAX_RUNS = 2_000;

  private final Depth depth;
  private final long seed;
  private final Supplier<Auditor> auditors;
  private final String rule;
  private int runs;

  /**
   * For one failure.
   *
   * @param depth of the clients in whose run it was
   * @param rule that each shorter run must break as well
   */
  Shrinker(Depth depth, long seed, Supplier<Auditor> auditors, String rule) {
    this.depth = depth;
    this.seed = seed;
    this.auditors = auditors;
    this.rule = rule;
  }

  /** A part of these steps that breaks the rule, and of which no more could be left out. */
  List<Long> shrink(List<Long> steps) {
    var left = steps;
    for (var chunk = Math.max(1, left.size() / 2); chunk > 0; chunk /= 2) {
      var shorter = without(left, chunk);
      while (shorter.size() < left.size()) {
        left = shorter;
        shorter = without(left, chunk);
      }
    }
    return left;
  }

  /** The same without each part of this size that is not needed. */
  private List<Long> without(List<Long> steps, int chunk) {
    var left = steps;
    for (var at = 0; at < left.size() && runs < MAX_RUNS; ) {
      var shorter = new ArrayList<>(left.subList(0, at));
      shorter.addAll(left.subList(Math.min(left.size(), at + chunk), left.size()));
      if (breaks(shorter)) {
        left = shorter;
      } else {
        at += chunk;
      }
    }
    return left;
  }

  private boolean breaks(List<Long> steps) {
    runs++;
    var failure = new Run(depth, seed, steps, auditors.get()).play().failure();
    return failure != null && failure.rule().equals(rule);
  }
}

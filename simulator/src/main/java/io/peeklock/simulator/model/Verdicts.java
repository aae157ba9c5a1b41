package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Violation;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which sentences of the semantics were judged, and how often: every judgement is passed here. */
final class Verdicts {
  private final Map<String, Long> judged = new TreeMap<>();

  /** Demands that something holds. */
  void demand(String rule, boolean holds, @Nullable Object... what) {
    judged.merge(rule, 1L, Long::sum);
    if (!holds) {
      throw new Violation(rule, Stream.of(what).map(String::valueOf).collect(Collectors.joining()));
    }
  }

  /** How often each was. */
  Map<String, Long> judged() {
    return Collections.unmodifiableMap(judged);
  }
}

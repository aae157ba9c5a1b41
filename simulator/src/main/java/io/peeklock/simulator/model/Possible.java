package io.peeklock.simulator.model;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value that may be the right one.
 *
 * @param given the answers to doubts under which it is the right one
 */
record Possible<T>(T value, Map<Doubt, Boolean> given) {

  static <T> Possible<T> of(T value) {
    return new Possible<>(value, Map.of());
  }

  /** The same under one more answer; it replaces another answer to the same doubt. */
  Possible<T> with(@Nullable Doubt doubt, boolean answer) {
    if (doubt == null) {
      return this;
    }
    Map<Doubt, Boolean> more = new HashMap<>(given);
    more.put(doubt, answer);
    return new Possible<>(value, more);
  }

  Possible<T> without(Doubt doubt) {
    Map<Doubt, Boolean> fewer = new HashMap<>(given);
    fewer.remove(doubt);
    return new Possible<>(value, fewer);
  }

  Possible<T> instead(T other) {
    return new Possible<>(other, given);
  }
}

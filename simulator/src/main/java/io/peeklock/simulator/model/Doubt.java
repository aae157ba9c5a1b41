package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Violation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Something that happened or did not, and nobody knows yet. */
final class Doubt {
  private final String rule;
  private final String sentence;
  private final Set<Uncertain<?>> readers = new LinkedHashSet<>();
  private @Nullable Boolean truth;

  /** The rule is the one that is broken when neither answer explains what was seen. */
  Doubt(String rule, String sentence) {
    this.rule = rule;
    this.sentence = sentence;
  }

  void readBy(Uncertain<?> reader) {
    readers.add(reader);
  }

  @Nullable Boolean truth() {
    return truth;
  }

  /** It is known now; everything that depends on it learns it. */
  void settle(boolean value) {
    if (truth != null) {
      if (truth != value) {
        throw broken();
      }
      return;
    }
    truth = value;
    for (Uncertain<?> reader : List.copyOf(readers)) {
      reader.learn(this, value);
    }
    readers.clear();
  }

  Violation broken() {
    return new Violation(rule, sentence);
  }
}

package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A thing with one value, of which a few are possible. */
class Uncertain<T> {
  private List<Possible<T>> possible = List.of();

  List<Possible<T>> possible() {
    return possible;
  }

  boolean may(Predicate<? super T> what) {
    return possible.stream().anyMatch(each -> what.test(each.value()));
  }

  boolean must(Predicate<? super T> what) {
    return possible.stream().allMatch(each -> what.test(each.value()));
  }

  /** Only such values are possible; it breaks the rule when there is none. */
  void narrow(Predicate<? super T> what, String rule, String sentence) {
    List<Possible<T>> kept = new ArrayList<>();
    for (Possible<T> each : possible) {
      if (what.test(each.value())) {
        kept.add(each);
      }
    }
    if (kept.isEmpty()) {
      throw new Violation(rule, sentence);
    }
    if (kept.size() < possible.size()) {
      become(kept);
    }
  }

  void change(UnaryOperator<T> how) {
    become(possible.stream().map(each -> each.instead(how.apply(each.value()))).toList());
  }

  /** These are the possible values from now on. */
  void become(List<Possible<T>> values) {
    possible = values.stream().distinct().toList();
    for (Possible<T> each : possible) {
      each.given().keySet().forEach(doubt -> doubt.readBy(this));
    }
    conclude();
  }

  /** A doubt is no more. */
  void learn(Doubt doubt, boolean answer) {
    List<Possible<T>> kept = new ArrayList<>();
    for (Possible<T> each : possible) {
      if (each.given().getOrDefault(doubt, answer) == answer) {
        kept.add(each.without(doubt));
      }
    }
    if (kept.isEmpty()) {
      throw doubt.broken();
    }
    become(kept);
  }

  /** When all that is possible agrees on a doubt, it is none. */
  private void conclude() {
    for (Doubt doubt : List.copyOf(possible.get(0).given().keySet())) {
      Boolean answer = possible.get(0).given().get(doubt);
      if (answer == null || doubt.truth() != null) {
        continue;
      }
      if (possible.stream().allMatch(each -> answer.equals(each.given().get(doubt)))) {
        doubt.settle(answer);
      }
    }
  }
}

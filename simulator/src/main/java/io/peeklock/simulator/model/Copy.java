package io.peeklock.simulator.model;

import io.peeklock.simulator.history.SentMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A message, or a subscription's copy of it, and all states in which it may be now. */
final class Copy {
  final SentMessage sent;
  private List<State> states = new ArrayList<>();

  /** When time alone may change it next. */
  long nextChange;

  private final Verdicts verdicts;

  Copy(SentMessage sent, Stream<State> states, Verdicts verdicts) {
    this.sent = sent;
    this.verdicts = verdicts;
    states.forEach(this::add);
  }

  List<State> states() {
    return states;
  }

  boolean surely(Predicate<State> what) {
    for (var state : states) {
      if (!what.test(state)) {
        return false;
      }
    }
    return true;
  }

  boolean possibly(Predicate<State> what) {
    for (var state : states) {
      if (what.test(state)) {
        return true;
      }
    }
    return false;
  }

  /** It may be in this state too. */
  void add(State state) {
    if (!states.contains(state)) {
      states.add(state);
      nextChange = 0;
    }
  }

  /** What is known now leaves these states alone. */
  void keep(List<State> left) {
    if (left.size() < states.size()) {
      nextChange = 0;
    }
    states = new ArrayList<>(left);
    endDoubts();
  }

  /** Keeps states that fit what the broker told; one must. */
  void keep(String rule, String what, Predicate<State> fits) {
    var left = states.stream().filter(fits).toList();
    verdicts.demand(rule, !left.isEmpty(), what, ": ", this);
    keep(left);
  }

  /** Something happened to it, in whichever state it is. */
  void become(Function<State, Stream<State>> change) {
    var before = states;
    states = new ArrayList<>();
    before.stream().flatMap(change).forEach(this::add);
    endDoubts();
  }

  /** Of what all its states say the same, there is no doubt. */
  private void endDoubts() {
    if (!states.isEmpty()) {
      states
          .getFirst()
          .doubts
          .forEach(
              (doubt, happened) -> {
                if (surely(state -> happened.equals(state.doubts.get(doubt)))) {
                  doubt.end(happened);
                }
              });
    }
  }

  /** Something may have happened to it. */
  void mayBecome(Function<State, Stream<State>> change) {
    List.copyOf(states).stream().flatMap(change).forEach(this::add);
  }

  @Override
  public String toString() {
    return sent.tag() + " may be " + states;
  }
}

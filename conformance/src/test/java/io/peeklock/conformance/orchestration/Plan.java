package io.peeklock.conformance.orchestration;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What comes after what: a piece of work, a timer, two pieces of work at once, and again.
 *
 * @param steps how many an orchestration has
 * @param longestTimerMillis how far ahead a timer may be
 */
record Plan(int steps, int longestTimerMillis) {
  private static final int KINDS = 3;
  private static final int TIMER = 1;
  private static final int FAN_OUT = 2;

  /** How many messages a step waits for. */
  static int parts(int step) {
    return step > 0 && (step - 1) % KINDS == FAN_OUT ? 2 : 1;
  }

  /** How many messages an orchestration takes until it is complete. */
  int messages() {
    return IntStream.range(0, steps).map(Plan::parts).sum();
  }

  boolean isComplete(State state) {
    return state.step() == steps;
  }

  /** Whether what follows a step is done by workers; else a timer brings it. */
  static boolean isWork(int step) {
    return step % KINDS != TIMER;
  }

  /** The messages that a step that is over gives rise to; none after the last. */
  List<Step> after(Step over, Random chance) {
    var next = over.number() + 1;
    if (next == steps) {
      return List.of();
    }
    var due =
        isWork(over.number())
            ? 0
            : System.currentTimeMillis() + 1 + chance.nextInt(longestTimerMillis);
    return IntStream.range(0, parts(next))
        .mapToObj(part -> new Step(over.instance(), next, part, due))
        .toList();
  }
}

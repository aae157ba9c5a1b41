package io.peeklock.simulator;

import io.peeklock.simulator.history.Violation;
import java.util.List;

/**
 * Something is wrong, be it with the broker, the auditor or the world.
 *
 * @param step at which, from 0
 * @param cause what was thrown
 * @param last events before it
 */
record Failure(int step, Throwable cause, List<String> last) {

  /** What was broken: two failures of the same rule are taken for the same. */
  String rule() {
    var message = String.valueOf(cause.getMessage());
    var end = message.indexOf(':');
    var rule = end < 0 ? message : message.substring(0, end);
    var root = cause.getCause();
    if (cause instanceof Violation) {
      return rule;
    }
    return root == null
        ? rule.replaceAll("[0-9]+", "#")
        : rule + " by " + root.getClass().getSimpleName();
  }
}

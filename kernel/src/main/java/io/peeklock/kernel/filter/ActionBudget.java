package io.peeklock.kernel.filter;

/** What the actions that work on one message may cost, and how much they may make of it. */
public final class ActionBudget {
  final RuleBudget steps = RuleBudget.ofSteps();
  final RuleBudget bytes = RuleBudget.ofBytes();

  /** For so many actions. */
  public ActionBudget(int actions) {
    begin(actions);
  }

  /** How many steps the actions took for this message. */
  public long stepsTaken() {
    return steps.taken();
  }

  /** Turns to the next message, on which so many work. */
  public void begin(int actions) {
    steps.begin(actions);
    bytes.begin(actions);
  }
}

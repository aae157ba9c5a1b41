package io.peeklock.kernel.filter;

/** The steps that the actions of one message may take, and the bytes that they may make. */
public final class ActionBudget {
  final RuleBudget steps = RuleBudget.ofSteps();
  final RuleBudget bytes = RuleBudget.ofBytes();

  /** A budget for this many actions. */
  public ActionBudget(int actions) {
    begin(actions);
  }

  /** How many steps the actions took for this message. */
  public long stepsTaken() {
    return steps.taken();
  }

  /** Begins the next message, with this many actions. */
  public void begin(int actions) {
    steps.begin(actions);
    bytes.begin(actions);
  }
}

package io.peeklock.kernel.filter;

/**
 * The steps that all rules of a topic may take for one message, shared fairly: each gets an equal
 * part of what the rules before it left, so that no rule takes what another needs.
 */
public final class RuleBudget {
  /** The most steps that evaluating one rule takes for a message. */
  public static final long STEPS_PER_RULE = 1 << 18;

  /** The most steps that all rules of a topic take for a message, filters and actions each. */
  public static final long STEPS_PER_MESSAGE = 1 << 19;

  /** The most bytes of names and values that one action makes of a message. */
  public static final long BYTES_PER_RULE = 64 << 10;

  /** The most that all actions of a topic make of a message. */
  public static final long BYTES_PER_MESSAGE = 4 << 20;

  private final long all;
  private final long most;
  private long left;
  private int takers;

  RuleBudget(long all, long most) {
    this.all = all;
    this.most = most;
  }

  static RuleBudget ofSteps() {
    return new RuleBudget(STEPS_PER_MESSAGE, STEPS_PER_RULE);
  }

  static RuleBudget ofBytes() {
    return new RuleBudget(BYTES_PER_MESSAGE, BYTES_PER_RULE);
  }

  /** Begins again with the whole allowance, for this many. */
  void begin(int count) {
    left = all;
    takers = count;
  }

  /** Shares what is left among this many more. */
  void goOn(int count) {
    takers = count;
  }

  /** The part of the next one. */
  long next() {
    long share = left / Math.max(1, takers);
    takers--;
    return Math.min(most, share);
  }

  void take(long taken) {
    left -= taken;
  }

  long taken() {
    return all - left;
  }
}

package io.peeklock.simulator.history;

/** The broker did what it may not do. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Names the rule.
   *
   * @param rule such as {@code S-086}
   */
  public Violation(String rule, String sentence) {
    super(rule + ": " + sentence);
  }
}

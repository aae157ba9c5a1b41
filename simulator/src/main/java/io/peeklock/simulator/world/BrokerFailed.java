package io.peeklock.simulator.world;

/** The broker broke, stood still or went round, although nothing in its world explains it. */
public final class BrokerFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a sentence that says what happened. */
  public BrokerFailed(String sentence) {
    super(sentence);
  }

  /** Something was thrown. */
  public BrokerFailed(String sentence, Throwable cause) {
    super(sentence + ": " + cause, cause);
  }
}

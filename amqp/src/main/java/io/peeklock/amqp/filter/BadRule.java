package io.peeklock.amqp.filter;

/** A rule that a client described and that cannot be; carries no stack, as clients cause it. */
public final class BadRule extends Exception {
  private static final long serialVersionUID = 1L;

  BadRule(String sentence) {
    super(sentence, null, false, false);
  }

  /** What is wrong, for the client. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}

package io.peeklock.amqp.management;

import io.peeklock.amqp.error.Conditions;

/** What is wrong with a management request; carries no stack, as clients cause it. */
final class BadRequest extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int status;
  private final String condition;

  BadRequest(int status, String condition, String sentence) {
    super(sentence, null, false, false);
    this.status = status;
    this.condition = condition;
  }

  /** One with an argument that cannot be. */
  static BadRequest argument(String sentence) {
    return new BadRequest(400, Conditions.ARGUMENT_ERROR, sentence);
  }

  int status() {
    return status;
  }

  String condition() {
    return condition;
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}

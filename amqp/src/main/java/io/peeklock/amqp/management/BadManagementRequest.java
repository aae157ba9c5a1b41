package io.peeklock.amqp.management;

import io.peeklock.amqp.error.Conditions;

/** What is wrong with a management request; carries no stack, as clients cause it. */
final class BadManagementRequest extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int status;
  private final String condition;

  BadManagementRequest(int status, String condition, String sentence) {
    super(sentence, null, false, false);
    this.status = status;
    this.condition = condition;
  }

  /** One with an argument that cannot be. */
  static BadManagementRequest argument(String sentence) {
    return new BadManagementRequest(400, Conditions.ARGUMENT_ERROR, sentence);
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

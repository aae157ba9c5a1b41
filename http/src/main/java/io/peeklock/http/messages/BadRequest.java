package io.peeklock.http.messages;

/** What is wrong with a request; carries no stack, as clients cause it. */
final class BadRequest extends Exception {
  private static final long serialVersionUID = 1L;

  BadRequest(String sentence) {
    super(sentence, null, false, false);
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}

package io.peeklock.kernel.filter;

/** A text that is no filter or action; caught at the entry, and returned as a value. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int offset;

  Refused(int offset, String sentence) {
    super(sentence, null, false, false);
    this.offset = offset;
  }

  FilterProblem in(String text) {
    return FilterProblem.at(text, offset, String.valueOf(getMessage()));
  }
}

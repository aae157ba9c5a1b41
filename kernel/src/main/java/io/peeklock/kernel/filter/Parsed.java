package io.peeklock.kernel.filter;

/** The result of parsing a text: a filter or an action, or the reason why it is none. */
public sealed interface Parsed<T> {

  /** It is one. */
  record Done<T>(T value) implements Parsed<T> {}

  /** The text is no filter or action. */
  record Wrong<T>(FilterProblem problem) implements Parsed<T> {}
}

package io.peeklock.kernel.filter;

/** What became of a text: a filter or an action, or the reason why it is none. */
public sealed interface Parsed<T> {

  /** It is one. */
  record Done<T>(T value) implements Parsed<T> {}

  /** It is none. */
  record Wrong<T>(FilterProblem problem) implements Parsed<T> {}
}

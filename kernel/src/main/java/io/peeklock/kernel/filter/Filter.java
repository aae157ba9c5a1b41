package io.peeklock.kernel.filter;

/** Which messages a rule selects. A value: it is stored and shown as what it was made of. */
public sealed interface Filter permits Filter.True, Filter.False, CorrelationFilter, SqlFilter {

  /** Every message (S-323). */
  record True() implements Filter {}

  /** No message (S-323). */
  record False() implements Filter {}
}

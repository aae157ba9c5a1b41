package io.peeklock.kernel.filter;

/** Selects messages for a rule. A value: it is stored and shown as the client gave it. */
public sealed interface Filter permits Filter.True, Filter.False, CorrelationFilter, SqlFilter {

  /** Every message (S-323). */
  record True() implements Filter {}

  /** No message (S-323). */
  record False() implements Filter {}
}

package io.peeklock.kernel.filter;

/** One change that an action makes (S-358). */
sealed interface Statement {

  /** What is changed: a {@code UserProperty} or a {@code BrokerProperty}. */
  Expression target();

  /** {@code SET target = value}. */
  record Set(Expression target, Expression value) implements Statement {}

  /** {@code REMOVE target}. */
  record Remove(Expression target) implements Statement {}
}

package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;

/** Knows some operations: which answers are right, and what they change. */
interface Clerk {

  /** The answer came; false when the operation is not one of its own. */
  boolean answered(Asked asked, Answer answer, long now);

  /** No answer will come, for the broker went: it happened as a whole or not. */
  default void inDoubt(Asked asked, long now) {}
}

package io.peeklock.kernel.entity;

/** Where a stored message stands; a lock may lie on top of either (S-226, invariant 1). */
public enum MessageState {
  /** Receivable, or locked by a receiver. */
  ACTIVE,
  /** Set aside; received by number only (S-206). */
  DEFERRED,
  /** Waiting for its time (S-148). */
  SCHEDULED
}

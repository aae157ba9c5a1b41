package io.peeklock.kernel.request;

/** What the holder of a lock may do with its message (S-030 to S-036, S-089). */
public enum Settlement {
  /** Done: the message leaves (S-030). */
  COMPLETE,
  /** Let go with a count (S-032, S-120). */
  ABANDON,
  /** Set aside, to be received by number (S-206); counts (S-123). */
  DEFER,
  /** Moved to the dead-letter queue (S-034). */
  DEAD_LETTER,
  /** Let go without a count (S-092). */
  RELEASE
}

package io.peeklock.kernel.request;

/** How a receiver takes messages; it works in exactly one of the two (S-020). */
public enum ReceiveMode {
  /** Held under an exclusive lock until settled (S-024). */
  PEEK_LOCK,
  /** Gone once it is delivered (S-021). */
  RECEIVE_AND_DELETE
}

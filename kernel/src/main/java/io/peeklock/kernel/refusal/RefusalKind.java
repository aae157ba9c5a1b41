package io.peeklock.kernel.refusal;

/**
 * What refusals have in common for those who tell clients of them: each edge has one condition or
 * status for each kind, and {@link RefusalTable} says of which kind a refusal is.
 */
public enum RefusalKind {
  /** The lock of a message is over. */
  MESSAGE_LOCK_LOST(Retry.NEVER),
  /** There is no such message. */
  MESSAGE_NOT_FOUND(Retry.NEVER),
  /** There is no such entity or rule. */
  NOT_FOUND(Retry.NEVER),
  /** There is another one of that name. */
  ALREADY_EXISTS(Retry.NEVER),
  /** The lock of a session is over. */
  SESSION_LOCK_LOST(Retry.NEVER),
  /** Somebody else has the session. */
  SESSION_CANNOT_BE_LOCKED(Retry.LATER),
  /** No more sessions can have a state. */
  TOO_MANY_SESSION_STATES(Retry.NEVER),
  /** A message has no session where it must have one. */
  SESSION_ID_MISSING(Retry.NEVER),
  /** What is asked for contradicts what the entity is. */
  NOT_ALLOWED(Retry.NEVER),
  /** The profile does not have it. */
  NOT_AVAILABLE(Retry.NEVER),
  /** Messages move on, so nobody receives here. */
  FORWARDED(Retry.NEVER),
  /** The status of the entity is in the way. */
  DISABLED(Retry.NEVER),
  /** It is full, or there are as many as there may be. */
  QUOTA(Retry.NEVER),
  /** The answer would have too many bytes. */
  ANSWER_TOO_LARGE(Retry.NEVER),
  /** A batch is too much at once. */
  BATCH_TOO_LARGE(Retry.NEVER),
  /** More comes at once than can be done. */
  BUSY(Retry.LATER),
  /** Nothing came while the client waited. */
  TIMEOUT(Retry.AT_ONCE),
  /** No subscription wants the message. */
  NO_MATCHING_SUBSCRIPTION(Retry.NEVER);

  private final Retry retry;

  RefusalKind(Retry retry) {
    this.retry = retry;
  }

  /** Whether the same request can be granted though nobody changes anything for it. */
  public Retry retry() {
    return retry;
  }

  /** When a retry can help. */
  public enum Retry {
    /** Not before a client or an operator has changed something. */
    NEVER,
    /** Once others are done. */
    LATER,
    /** Whenever it is asked again. */
    AT_ONCE
  }
}

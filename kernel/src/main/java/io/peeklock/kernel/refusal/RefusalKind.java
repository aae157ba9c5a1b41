package io.peeklock.kernel.refusal;

/**
 * The kinds of refusals: each edge has one condition or status for each kind, and {@link
 * RefusalTable} says of which kind a refusal is.
 */
public enum RefusalKind {
  /** The lock of a message is over. */
  MESSAGE_LOCK_LOST,
  /** There is no such message. */
  MESSAGE_NOT_FOUND,
  /** There is no such entity or rule. */
  NOT_FOUND,
  /** There is another one of that name. */
  ALREADY_EXISTS,
  /** The lock of a session is over. */
  SESSION_LOCK_LOST,
  /** Somebody else has the session. */
  SESSION_CANNOT_BE_LOCKED,
  /** No more sessions can have a state. */
  TOO_MANY_SESSION_STATES,
  /** A message has no session where it must have one. */
  SESSION_ID_MISSING,
  /** The request contradicts the properties of the entity. */
  NOT_ALLOWED,
  /** The profile of the namespace lacks the feature. */
  NOT_AVAILABLE,
  /** Messages move on, so nobody receives here. */
  FORWARDED,
  /** The status of the entity forbids it. */
  DISABLED,
  /** A size or a number is at its limit. */
  QUOTA,
  /** The answer would have too many bytes. */
  ANSWER_TOO_LARGE,
  /** A batch is too much at once. */
  BATCH_TOO_LARGE,
  /** More comes at once than can be done. */
  BUSY,
  /** Nothing came while the client waited. */
  TIMEOUT,
  /** No subscription wants the message. */
  NO_MATCHING_SUBSCRIPTION
}

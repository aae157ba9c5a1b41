package io.peeklock.runtime.message;

import io.peeklock.kernel.refusal.Refusal;

/** The outcome of a request. */
public sealed interface Answer<T> {

  /** It was granted, and its facts are durable. */
  record Given<T>(T value) implements Answer<T> {}

  /** The kernel refused it; nothing of it happened. */
  record Refused<T>(Refusal refusal) implements Answer<T> {}

  /**
   * It was rejected before the kernel decided, or could not be carried out; nothing of it happened.
   *
   * @param sentence for people, without a full stop
   */
  record Unfit<T>(Misfit misfit, String sentence) implements Answer<T> {}

  /** Why a request does not fit. */
  enum Misfit {
    /** A message is malformed. Permanent. */
    MALFORMED,
    /** A message, or all messages together, are too large. Permanent. */
    TOO_LARGE,
    /** The address is not one to send to. Permanent. */
    NOT_FOR_SENDING,
    /** The address is not one to receive from, or not in this way. Permanent. */
    NOT_FOR_RECEIVING,
    /** The entity was deleted during the wait for a message. Permanent. */
    ENTITY_GONE,
    /** Too much is waiting for the log. A retry helps. */
    BUSY,
    /** A stored message cannot be read; its queue is stopped. Permanent until it is repaired. */
    UNREADABLE
  }
}

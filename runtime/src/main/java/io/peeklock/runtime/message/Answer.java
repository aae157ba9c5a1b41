package io.peeklock.runtime.message;

import io.peeklock.kernel.refusal.Refusal;

/** What becomes of a request. */
public sealed interface Answer<T> {

  /** It was granted, and what it rests on is durable. */
  record Given<T>(T value) implements Answer<T> {}

  /** The rules do not allow it; nothing of it happened. */
  record Refused<T>(Refusal refusal) implements Answer<T> {}

  /**
   * It cannot be granted to anybody as it is; nothing of it happened.
   *
   * @param sentence for people, without a full stop
   */
  record Unfit<T>(Misfit misfit, String sentence) implements Answer<T> {}

  /** Why a request does not fit. */
  enum Misfit {
    /** A message is not as messages must be. Permanent. */
    MALFORMED,
    /** A message, or all of them together, is larger than is taken. Permanent. */
    TOO_LARGE,
    /** Messages are not sent there. Permanent. */
    NOT_FOR_SENDING,
    /** Messages are not received there, or not in this way. Permanent. */
    NOT_FOR_RECEIVING,
    /** The entity was deleted while a message was waited for. Permanent. */
    ENTITY_GONE,
    /** Too much is on its way to the log. A retry helps. */
    BUSY,
    /** A stored message cannot be read; its queue is stopped. Permanent until it is repaired. */
    UNREADABLE
  }
}

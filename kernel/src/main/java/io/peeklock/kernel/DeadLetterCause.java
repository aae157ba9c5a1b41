package io.peeklock.kernel;

/**
 * Why a message is in a dead-letter queue. A cause of the broker's own implies the reason and
 * description texts, so that they cost no storage; what a receiver gave is in the overlay.
 */
public enum DeadLetterCause {
  /** Not dead-lettered. */
  NONE,
  /** A receiver asked for it; reason and description, if given, are in the overlay (S-189). */
  RECEIVER,
  /** S-127, S-192. */
  MAX_DELIVERY_COUNT_EXCEEDED,
  /** S-168, S-191. */
  TTL_EXPIRED,
  /** S-075, S-190. */
  HEADER_SIZE_EXCEEDED,
  /** S-193: a copy without session id came to a subscription with sessions. */
  SESSION_ID_MISSING,
  /** S-195: a filter or action could not be evaluated; the texts are in the overlay. */
  RULE_FAILED,
  /** S-194, S-292: it was forwarded as often as a message may be. */
  HOP_LIMIT_EXCEEDED,
  /** S-294: where it was to be forwarded to is missing, disabled or full. */
  FORWARDING_FAILED
}

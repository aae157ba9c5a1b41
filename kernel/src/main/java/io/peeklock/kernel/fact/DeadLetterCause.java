package io.peeklock.kernel.fact;

import org.jspecify.annotations.Nullable;

/**
 * Why a message is in a dead-letter queue. The broker's own causes imply the reason and description
 * texts, so that these take no storage; those of a receiver are in the overlay. Each has a fixed
 * number, so that the order of the names here can change neither the log nor a hash of the state.
 */
public enum DeadLetterCause {
  /** Not dead-lettered. */
  NONE(0),
  /** A receiver asked for it; reason and description, if given, are in the overlay (S-189). */
  RECEIVER(1),
  /** S-127, S-192. */
  MAX_DELIVERY_COUNT_EXCEEDED(2),
  /** S-168, S-191. */
  TTL_EXPIRED(3),
  /** S-075, S-190. */
  HEADER_SIZE_EXCEEDED(4),
  /** S-193: a copy without session id came to a subscription with sessions. */
  SESSION_ID_MISSING(5),
  /** S-195: a filter or action could not be evaluated; the texts are in the overlay. */
  RULE_FAILED(6),
  /** S-194, S-292: it was forwarded as often as a message may be. */
  HOP_LIMIT_EXCEEDED(7),
  /** S-294: where it was to be forwarded to is missing, disabled or full. */
  FORWARDING_FAILED(8);

  private static final DeadLetterCause[] BY_CODE = byCode();

  private final int code;

  DeadLetterCause(int code) {
    this.code = code;
  }

  /** Its number, 0 to 15, in the log and in the flags of a message; never reused. */
  public int code() {
    return code;
  }

  /** The cause with a number; null when no known cause has it. */
  public static @Nullable DeadLetterCause withCode(int code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }

  private static DeadLetterCause[] byCode() {
    DeadLetterCause[] causes = values();
    for (DeadLetterCause cause : values()) {
      causes[cause.code] = cause;
    }
    return causes;
  }
}

package io.peeklock.codec;

import io.peeklock.kernel.DeadLetterCause;

/** Causes as numbers of their own, so that a change of the enum's order cannot change the log. */
final class DeadLetterCauseCode {
  private DeadLetterCauseCode() {}

  static int of(DeadLetterCause cause) {
    return switch (cause) {
      case NONE -> 0;
      case RECEIVER -> 1;
      case MAX_DELIVERY_COUNT_EXCEEDED -> 2;
      case TTL_EXPIRED -> 3;
      case HEADER_SIZE_EXCEEDED -> 4;
      case SESSION_ID_MISSING -> 5;
      case RULE_FAILED -> 6;
      case HOP_LIMIT_EXCEEDED -> 7;
      case FORWARDING_FAILED -> 8;
    };
  }

  static DeadLetterCause read(int code) throws UnreadableFact {
    return switch (code) {
      case 0 -> DeadLetterCause.NONE;
      case 1 -> DeadLetterCause.RECEIVER;
      case 2 -> DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED;
      case 3 -> DeadLetterCause.TTL_EXPIRED;
      case 4 -> DeadLetterCause.HEADER_SIZE_EXCEEDED;
      case 5 -> DeadLetterCause.SESSION_ID_MISSING;
      case 6 -> DeadLetterCause.RULE_FAILED;
      case 7 -> DeadLetterCause.HOP_LIMIT_EXCEEDED;
      case 8 -> DeadLetterCause.FORWARDING_FAILED;
      default -> throw new UnreadableFact("cause of dead-lettering " + code + " is not known");
    };
  }
}

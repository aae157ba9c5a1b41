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
    };
  }

  static DeadLetterCause read(int code) throws UnreadableFact {
    return switch (code) {
      case 0 -> DeadLetterCause.NONE;
      case 1 -> DeadLetterCause.RECEIVER;
      case 2 -> DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED;
      case 3 -> DeadLetterCause.TTL_EXPIRED;
      case 4 -> DeadLetterCause.HEADER_SIZE_EXCEEDED;
      default -> throw new UnreadableFact("cause of dead-lettering " + code + " is not known");
    };
  }
}

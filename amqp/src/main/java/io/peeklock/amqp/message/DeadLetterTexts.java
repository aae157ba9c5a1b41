package io.peeklock.amqp.message;

import io.peeklock.kernel.fact.DeadLetterCause;

/** Reason and description of dead letters that died by a rule of the broker's (S-190 to S-194). */
public final class DeadLetterTexts {
  public static final String REASON = "DeadLetterReason";
  public static final String DESCRIPTION = "DeadLetterErrorDescription";

  private DeadLetterTexts() {}

  static boolean hasTexts(DeadLetterCause cause) {
    return switch (cause) {
      case NONE, RECEIVER, RULE_FAILED -> false;
      case MAX_DELIVERY_COUNT_EXCEEDED,
          TTL_EXPIRED,
          HEADER_SIZE_EXCEEDED,
          SESSION_ID_MISSING,
          HOP_LIMIT_EXCEEDED,
          FORWARDING_FAILED ->
          true;
    };
  }

  static String reason(DeadLetterCause cause) {
    return switch (cause) {
      case NONE, RECEIVER, RULE_FAILED -> "";
      case MAX_DELIVERY_COUNT_EXCEEDED -> "MaxDeliveryCountExceeded";
      case TTL_EXPIRED -> "TTLExpiredException";
      case HEADER_SIZE_EXCEEDED -> "HeaderSizeExceeded";
      case SESSION_ID_MISSING -> "Session id is null.";
      case HOP_LIMIT_EXCEEDED -> "MaxTransferHopCountExceeded";
      case FORWARDING_FAILED -> "ForwardingFailed";
    };
  }

  static String description(DeadLetterCause cause) {
    return switch (cause) {
      case NONE, RECEIVER, RULE_FAILED -> "";
      case MAX_DELIVERY_COUNT_EXCEEDED ->
          "Message could not be consumed after the maximum delivery attempts.";
      case TTL_EXPIRED -> "The message expired and was dead lettered.";
      case HEADER_SIZE_EXCEEDED ->
          "The message header size exceeded the limit, so the message was dead lettered.";
      case SESSION_ID_MISSING ->
          "Session enabled entity doesn't allow a message whose session identifier is null.";
      case HOP_LIMIT_EXCEEDED -> "The message was forwarded as often as a message may be: 4 times.";
      case FORWARDING_FAILED ->
          "The message could not be forwarded: its destination is missing, disabled or full, or does"
              + " not take it.";
    };
  }
}

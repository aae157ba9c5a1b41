package io.peeklock.simulator.history;

import org.jspecify.annotations.Nullable;

/**
 * Properties of a queue, a topic or a subscription; those that its kind has not are ignored.
 *
 * @param lockMillis LockDuration
 * @param maxDeliveryCount MaxDeliveryCount
 * @param timeToLiveMillis DefaultMessageTimeToLive, {@link Long#MAX_VALUE} for none
 * @param deadLettersExpired DeadLetteringOnMessageExpiration
 * @param deadLettersFilterFailures DeadLetteringOnFilterEvaluationExceptions
 * @param duplicateWindowMillis DuplicateDetectionHistoryTimeWindow; 0 when duplicates are not
 *     detected
 * @param maxBytes MaxSizeInMegabytes, in bytes
 * @param forwardTo path of a queue or topic; null for none
 * @param forwardDeadLettersTo as well
 */
public record Properties(
    long lockMillis,
    int maxDeliveryCount,
    long timeToLiveMillis,
    boolean deadLettersExpired,
    boolean deadLettersFilterFailures,
    boolean requiresSession,
    long duplicateWindowMillis,
    long maxBytes,
    @Nullable String forwardTo,
    @Nullable String forwardDeadLettersTo,
    Status status) {

  /** Status of an entity (S-427 and around). */
  public enum Status {
    ACTIVE,
    DISABLED,
    SEND_DISABLED,
    RECEIVE_DISABLED
  }
}

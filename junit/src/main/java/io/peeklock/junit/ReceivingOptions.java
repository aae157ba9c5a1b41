package io.peeklock.junit;

import java.time.Duration;

/**
 * Properties of what messages are received from.
 *
 * @param <S> the options that are being set
 */
abstract sealed class ReceivingOptions<S extends ReceivingOptions<S>> extends EntityOptions<S>
    permits QueueOptions, SubscriptionOptions {

  ReceivingOptions(String path) {
    super(path);
  }

  /** Sets how long a lock lasts: a second to five minutes, one minute unless it is set. */
  public S lockDuration(Duration value) {
    definition.lockDurationMillis(value.toMillis());
    return self();
  }

  /** Sets after how many failed deliveries a message is dead-lettered; 10 unless it is set. */
  public S maxDeliveryCount(int value) {
    definition.maxDeliveryCount(value);
    return self();
  }

  /** Makes each message belong to a session. */
  public S requiresSession() {
    definition.requiresSession(true);
    return self();
  }

  /** Has messages dead-lettered that expire, instead of dropped. */
  public S deadLetteringOnExpiration() {
    definition.deadLetteringOnExpiration(true);
    return self();
  }

  /** Has messages moved on to another queue or topic. */
  public S forwardTo(String path) {
    definition.forwardTo(path);
    return self();
  }

  /** Has dead letters moved on to another queue or topic. */
  public S forwardDeadLettersTo(String path) {
    definition.forwardDeadLettersTo(path);
    return self();
  }
}

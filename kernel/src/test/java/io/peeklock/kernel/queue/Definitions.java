package io.peeklock.kernel.queue;

import static io.peeklock.kernel.QueueDefinition.FOREVER;

import io.peeklock.kernel.QueueDefinition;
import java.time.Duration;

/** Definitions of queues that differ from the defaults in what a test is about. */
final class Definitions {

  private Definitions() {}

  static QueueDefinition defaults() {
    return QueueDefinition.named("orders");
  }

  static QueueDefinition lockDuration(Duration duration) {
    return new QueueDefinition(
        "orders", duration.toMillis(), 10, FOREVER, false, 100L << 20, FOREVER);
  }

  static QueueDefinition maxDeliveryCount(int count) {
    return new QueueDefinition("orders", 60_000, count, FOREVER, false, 100L << 20, FOREVER);
  }

  static QueueDefinition maxSize(long bytes) {
    return new QueueDefinition("orders", 60_000, 10, FOREVER, false, 1_000, bytes);
  }

  static QueueDefinition timeToLive(Duration timeToLive, boolean deadLettering) {
    return expiring(timeToLive, deadLettering, 10);
  }

  static QueueDefinition expiring(
      Duration timeToLive, boolean deadLettering, int maxDeliveryCount) {
    return new QueueDefinition(
        "orders",
        60_000,
        maxDeliveryCount,
        timeToLive.toMillis(),
        deadLettering,
        100L << 20,
        FOREVER);
  }
}

package io.peeklock.kernel.machine;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.entity.QueueDefinition;
import java.time.Duration;

/** Definitions of queues that differ from the defaults in what a test is about. */
public final class Definitions {

  private Definitions() {}

  public static QueueDefinition defaults() {
    return QueueDefinition.named("orders");
  }

  public static QueueDefinition lockDuration(Duration duration) {
    return new QueueDefinition(
        "orders", duration.toMillis(), 10, FOREVER, false, 100L << 20, FOREVER);
  }

  public static QueueDefinition maxDeliveryCount(int count) {
    return new QueueDefinition("orders", 60_000, count, FOREVER, false, 100L << 20, FOREVER);
  }

  public static QueueDefinition maxSize(long bytes) {
    return new QueueDefinition("orders", 60_000, 10, FOREVER, false, 1_000, bytes);
  }

  public static QueueDefinition timeToLive(Duration timeToLive, boolean deadLettering) {
    return expiring(timeToLive, deadLettering, 10);
  }

  public static QueueDefinition expiring(
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

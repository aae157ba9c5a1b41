package io.peeklock.amqp.deliver;

import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.filter.StoredMessageView;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What chose the partition of each message that a link of a partitioned entity has delivered: all
 * that one transaction settles must have the same (S-374). The shard does not know it. Keys of
 * settled deliveries are forgotten, many at a time.
 */
@EventLoopThread
final class DeliveredKeys {
  private static final int MOST_SETTLED = 1_000;

  private final SendingLink link;
  private final Map<Integer, String> byDelivery = new HashMap<>();

  DeliveredKeys(SendingLink link) {
    this.link = link;
  }

  /**
   * Notes the key of an unsettled delivery.
   *
   * @param beginning its stored bytes, at least until its body
   */
  void note(int deliveryId, byte[] beginning) {
    var key = StoredMessageView.of(beginning).partitionKey();
    if (key != null) {
      byDelivery.put(deliveryId, key);
      if (byDelivery.size() > 2 * link.unsettledCount() + MOST_SETTLED) {
        byDelivery.keySet().removeIf(id -> !link.isUnsettled(id));
      }
    }
  }

  /** The key of an unsettled delivery; null when it has none. */
  @Nullable String of(int deliveryId) {
    return byDelivery.get(deliveryId);
  }
}

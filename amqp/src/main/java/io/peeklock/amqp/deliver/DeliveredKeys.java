package io.peeklock.amqp.deliver;

import io.peeklock.amqp.filter.StoredMessageView;
import io.peeklock.amqp.message.PendingBurst;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What chose the partition of each message that a link of a partitioned entity has delivered: all
 * that one transaction settles must have the same (S-374). The shard does not know it.
 */
@EventLoopThread
final class DeliveredKeys {
  /** Of settled deliveries: they are forgotten as others come. */
  private static final int MOST_SETTLED = 1_000;

  private final Map<Long, String> byLock = new LinkedHashMap<>();

  /**
   * Notes the next message of a burst before it is written.
   *
   * @param unsettled how many deliveries of the link are
   */
  void note(PendingBurst burst, int unsettled) {
    var key = StoredMessageView.of(burst.beginning()).partitionKey();
    if (key != null) {
      byLock.put(burst.lockId(), key);
      if (byLock.size() > unsettled + MOST_SETTLED) {
        byLock.remove(byLock.keySet().iterator().next());
      }
    }
  }

  /** The key of the message under a lock; null when it has none, or is not known any more. */
  @Nullable String of(long lockId) {
    return byLock.get(lockId);
  }
}

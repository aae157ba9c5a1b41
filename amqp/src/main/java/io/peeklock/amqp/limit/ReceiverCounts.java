package io.peeklock.amqp.limit;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.runtime.thread.AnyThread;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;

/** How many receivers each queue has, and each topic over all its subscriptions (S-439). */
@AnyThread
public final class ReceiverCounts {
  private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
  private final int most;

  public ReceiverCounts(int most) {
    this.most = most;
  }

  public int most() {
    return most;
  }

  /** By what the receivers of an entity are counted. */
  public static String keyOf(QueueDefinition definition) {
    var path =
        definition.role() instanceof QueueRole.Subscription subscription
            ? subscription.topicPath()
            : definition.path();
    return path.toLowerCase(Locale.ROOT);
  }

  /** Counts one more; false when there are as many as there may be. */
  public boolean enter(String key) {
    var entered = new boolean[1];
    counts.compute(
        key,
        (same, before) -> {
          var count = before == null ? 0 : before;
          entered[0] = count < most;
          return entered[0] ? Integer.valueOf(count + 1) : before;
        });
    return entered[0];
  }

  /** One is gone. */
  public void leave(String key) {
    counts.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
  }
}

package io.peeklock.runtime.meter;

import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.runtime.thread.AnyThread;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many queues, topics and dead-letter queues have messages that should move by themselves and
 * have not for a second, by what holds them up. The shard's thread writes, any thread may read.
 */
@AnyThread
public final class WaitMeter {
  private final Map<WaitReason, AtomicInteger> queues = new EnumMap<>(WaitReason.class);

  /** Nothing is held up. */
  public WaitMeter() {
    for (var reason : WaitReason.values()) {
      queues.put(reason, new AtomicInteger());
    }
  }

  private AtomicInteger of(WaitReason reason) {
    return Objects.requireNonNull(queues.get(reason));
  }

  /** How many are held up for this reason now. */
  public int queues(WaitReason reason) {
    return of(reason).get();
  }

  /** Counts some more, or less. */
  public void add(WaitReason reason, int more) {
    of(reason).addAndGet(more);
  }

  /** So many entities, in words. */
  public static String entities(int count) {
    return count == 1 ? "1 entity" : count + " entities";
  }

  /** The reason in words for operators, the end of a sentence about messages. */
  public static String words(WaitReason reason) {
    return switch (reason) {
      case DESTINATION_NOT_FOUND -> "their destination does not exist";
      case DESTINATION_DISABLED -> "their destination is disabled";
      case DESTINATION_FULL -> "their destination is full";
      case MEMORY_SHARE_EXCEEDED -> "who gets them holds its share of the memory";
      case STORE_FULL -> "the store has no room";
      case MESSAGE_UNREADABLE -> "the next one cannot be read";
    };
  }
}

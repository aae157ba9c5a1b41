package io.peeklock.kernel.queue;

import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueRole;
import io.peeklock.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * What one entity may hold of the memory that all share: so many times what is still free. One that
 * is greedy stops while a part is left for all others; several leave less, and none takes what was
 * left by another. It is a queue with its dead-letter queue, or a topic with all its subscriptions,
 * and what waits to be transferred via either.
 *
 * <p>It is asked only where something is decided. Nobody's memory is taken away: whoever holds too
 * much gets nothing more before it holds less, or more is free.
 */
final class FairShare {

  /** For what is sent: one entity alone takes seven eighths of all. */
  static final int OF_SENDS = 7;

  /** For what follows from what was taken, as it moves on: fifteen sixteenths. */
  static final int OF_THE_REST = 15;

  /** Who holds less is never refused for it, or an eighth of all where that is less. */
  private static final long FLOOR_BYTES = 1 << 20;

  private static final int FLOOR_PART = 8;

  private FairShare() {}

  /** The path of the entity that one with this definition counts for; its own as a rule. */
  static String rootPath(QueueDefinition definition) {
    return switch (definition.role()) {
      case QueueRole.Subscription subscription -> subscription.topicPath();
      case QueueRole.Transfers transfers -> transfers.entityPath();
      default -> definition.path();
    };
  }

  /** Why the entity of a queue gets no more memory; null when it does. */
  static @Nullable Refusal refusal(MachineState state, QueueState queue, int times) {
    Refusal ofHeap = ofHeap(state.stored, queue, times);
    return ofHeap == null ? ofBodies(state, queue, times) : ofHeap;
  }

  private static @Nullable Refusal ofHeap(StoredMemory all, QueueState queue, int times) {
    if (!isScarce(all.all(), all.free(), times)) {
      return null;
    }
    long most = most(all.most(), all.free(), times);
    long held = queue.held.charged();
    return held > most ? new Refusal.MemoryShareExceeded(false, held, most) : null;
  }

  /**
   * Why what is in the entity may not grow, as by properties that a message gets or by states; null
   * when it may. Whoever receives needs that, so that an entity that holds too much may still have
   * as much of it as is free, and some always: then all that is greedy leaves half of it.
   *
   * @param heapBytes that such things take of the heap, 0 for none
   * @param bodyBytes that they take of the memory for bodies
   */
  static @Nullable Refusal ofGrowth(
      MachineState state, QueueState queue, long heapBytes, long bodyBytes) {
    StoredMemory all = state.stored;
    if (heapBytes > most(all.most(), all.free(), 1)) {
      Refusal ofHeap = ofHeap(all, queue, OF_SENDS);
      if (ofHeap != null) {
        return ofHeap;
      }
    }
    return bodyBytes > most(all.mostBodies(), all.freeBodies(), 1)
        ? ofBodies(state, queue, OF_SENDS)
        : null;
  }

  private static @Nullable Refusal ofBodies(MachineState state, QueueState queue, int times) {
    StoredMemory all = state.stored;
    if (!isScarce(all.mostBodies() - all.freeBodies(), all.freeBodies(), times)) {
      return null;
    }
    long most = most(all.mostBodies(), all.freeBodies(), times);
    QueueState root = state.queue(rootPath(queue.definition()));
    long held = root == null ? 0 : bodyBytes(root);
    return held > most ? new Refusal.MemoryShareExceeded(true, held, most) : null;
  }

  /**
   * Whether a topic makes no more copies of what it took. A few are always made: what is left to be
   * copied may be all that it holds, and goes only by that.
   */
  static boolean copiesWait(StoredMemory all, QueueState topic) {
    if (all.isExhausted() || ofHeap(all, topic, OF_THE_REST) == null) {
      return all.isExhausted();
    }
    long waiting = topic.transfers.waiting() + topic.scheduled().count();
    return topic.held.bytes() - waiting * StoredMemory.ROW_BYTES > floor(all.most());
  }

  /** Whether anybody can hold too much, who holds all that is taken. */
  private static boolean isScarce(long taken, long free, int times) {
    return taken / times > free;
  }

  private static long most(long all, long free, int times) {
    return Math.max(floor(all), times * free);
  }

  private static long floor(long all) {
    return Math.min(FLOOR_BYTES, all / FLOOR_PART);
  }

  /**
   * What bodies take at least: the copies of a topic's message have one together, so that only the
   * subscription with most of them counts.
   */
  private static long bodyBytes(QueueState root) {
    TopicState topic = root.topic();
    if (topic == null) {
      return root.quotaBytes();
    }
    long largest = 0;
    for (SubscriptionState each : topic.subscriptions()) {
      largest = Math.max(largest, each.queue().quotaBytes());
    }
    return root.quotaBytes() - topic.bytes() + largest;
  }
}

package io.peeklock.kernel.decide;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.state.Entities;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TopicState;
import org.jspecify.annotations.Nullable;

/**
 * What one entity may hold of the memory that all share. The last part of it is for those that hold
 * little: each gets more while it holds less than a small part of what is left of that, so that
 * whoever fills some entities leaves something to the next; but for a few messages each, with which
 * many hundreds have all. An entity is a queue with its dead-letter queue, or a topic with all its
 * subscriptions, and what waits to be transferred via either.
 *
 * <p>It is asked only where something is decided. Nobody's memory is taken away: whoever holds too
 * much gets nothing more before it holds less, or more is free.
 */
public final class FairShare {

  /** For what is sent, so much of all is kept for those that hold little: an eighth. */
  public static final int OF_SENDS = 8;

  /** For what follows from what was taken, as it moves on: a sixteenth. */
  public static final int OF_THE_REST = 16;

  /** Of what is left of the part that is kept, one entity may hold so much: a sixteenth. */
  private static final int ENTITY_PART = 16;

  /** One that holds nearly nothing may get so much at once: a quarter. */
  private static final int FIRST_PART = 4;

  /** Of all, so much of what one entity holds for its sessions and of ids does not count. */
  private static final int STAYING_PART = 16;

  /** Who holds no more is never refused for it: a few messages. */
  private static final long FLOOR_BYTES = 4 << 10;

  /** So much may grow in any entity, or an eighth of all where that is less. */
  private static final long GROWTH_BYTES = 1 << 20;

  private static final int GROWTH_PART = 8;

  private FairShare() {}

  /** Why the entity of a queue gets no more memory; null when it does. */
  public static @Nullable Refusal refusal(MachineState state, QueueState queue, int part) {
    EntityShare share = of(state, queue, part);
    return share == null ? null : share.refusal();
  }

  /** What the entity of a queue holds and may hold; null for as much as there is. */
  public static @Nullable EntityShare of(MachineState state, QueueState queue, int part) {
    StoredMemory all = state.stored;
    boolean isHeapScarce = all.free() <= all.most() / part;
    boolean areBodiesScarce = all.freeBodies() <= all.mostBodies() / part;
    if (!isHeapScarce && !areBodiesScarce) {
      return null;
    }
    long heap = isHeapScarce ? heap(all, queue) : 0;
    long bodies = areBodiesScarce ? bodies(state, queue) : 0;
    return new EntityShare(
        queue,
        heap,
        isHeapScarce ? most(heap, all.free()) : Long.MAX_VALUE,
        bodies,
        areBodiesScarce ? most(bodies, all.freeBodies()) : Long.MAX_VALUE);
  }

  /**
   * Sessions and ids of messages that have gone stay for their time, whatever their receivers do.
   */
  private static long heap(StoredMemory all, QueueState queue) {
    HeldMemory held = queue.held;
    return held.charged() - Math.min(held.staying(), all.most() / STAYING_PART);
  }

  /**
   * Why what is in the entity may not grow, as by properties that a message gets or by states; null
   * when it may. Whoever receives needs that, so that an entity that holds too much may still have
   * as much of it as is free, and some always.
   *
   * @param heapBytes that such things take of the heap, 0 for none
   * @param bodyBytes that they take of the memory for bodies
   */
  public static @Nullable Refusal ofGrowth(
      MachineState state, QueueState queue, long heapBytes, long bodyBytes) {
    StoredMemory all = state.stored;
    boolean asksHeap = heapBytes > growth(all.most(), all.free());
    boolean asksBodies = bodyBytes > growth(all.mostBodies(), all.freeBodies());
    EntityShare share = asksHeap || asksBodies ? of(state, queue, OF_SENDS) : null;
    if (share == null) {
      return null;
    }
    Refusal ofHeap = asksHeap ? share.ofHeap() : null;
    return ofHeap == null && asksBodies ? share.ofBodies() : ofHeap;
  }

  private static long bodies(MachineState state, QueueState queue) {
    QueueState root = state.queue(Entities.rootPath(queue.definition()));
    return root == null ? 0 : bodyBytes(root);
  }

  /**
   * Whether a topic makes no more copies of what it took. A few are always made: what is left to be
   * copied may be all that it holds, and goes only by that.
   */
  public static boolean copiesWait(StoredMemory all, QueueState topic) {
    if (all.isExhausted()) {
      return true;
    }
    long held = heap(all, topic);
    if (all.free() > all.most() / OF_THE_REST || held <= most(held, all.free())) {
      return false;
    }
    long few = Math.min(growth(all.most(), 0), all.free() / FIRST_PART);
    return copyBytes(topic) > Math.max(FLOOR_BYTES, few);
  }

  /** As if each had begun a session of its own where there are some. */
  private static long copyBytes(QueueState topic) {
    TopicState feeding = Invariant.present(topic.topic(), "a topic has copies");
    long bytes = 0;
    for (SubscriptionState each : feeding.subscriptions()) {
      MessageIndex messages = each.queue().messages();
      MessageIndex dead = each.queue().deadLetters().messages();
      long copies = messages.active() + messages.deferred() + dead.active() + dead.deferred();
      boolean mayBegin = each.queue().sessions() != null;
      bytes += copies * (StoredMemory.ROW_BYTES + (mayBegin ? StoredMemory.SESSION_BYTES : 0));
    }
    return bytes;
  }

  /** Who holds nearly nothing may get a large message, or many at once. */
  private static long most(long held, long free) {
    return Math.max(FLOOR_BYTES, free / (held > FLOOR_BYTES ? ENTITY_PART : FIRST_PART));
  }

  private static long growth(long all, long free) {
    return Math.max(Math.min(GROWTH_BYTES, all / GROWTH_PART), free);
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

package io.peeklock.kernel.decide;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.state.Entities;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TopicState;
import org.jspecify.annotations.Nullable;

/**
 * How much of the shared memory one entity may hold. The last part of the memory is reserved for
 * entities that hold little: each may take more of it while it holds less than a small fraction of
 * what is left there. So a client that fills some entities leaves room for others. A few messages
 * are always allowed; many hundreds of entities with a few messages each can still use up all of
 * it. An entity here is a queue with its dead-letter queue, or a topic with all its subscriptions,
 * and the transfers that wait via either.
 *
 * <p>It is checked only in decisions. Nothing is taken away: an entity that holds too much gets no
 * more until it holds less, or more is free.
 */
public final class FairShare {

  /** For sends, this part of the memory is reserved for entities that hold little: an eighth. */
  public static final int OF_SENDS = 8;

  /** For what follows from accepted messages, such as forwarding: a sixteenth is reserved. */
  public static final int OF_THE_REST = 16;

  /** The part of what is left of the reserve that one entity may hold: a sixteenth. */
  private static final int ENTITY_PART = 16;

  /** The part that an entity that holds nearly nothing may get at once: a quarter. */
  private static final int FIRST_PART = 4;

  /** The part of the memory up to which an entity's sessions and remembered ids do not count. */
  private static final int STAYING_PART = 16;

  /** An entity that holds no more than this is never refused: a few messages. */
  private static final long FLOOR_BYTES = 4 << 10;

  /** The most that may grow in any entity, or an eighth of the memory if that is less. */
  private static final long GROWTH_BYTES = 1 << 20;

  private static final int GROWTH_PART = 8;

  private FairShare() {}

  /** The refusal when the entity of a queue already holds more than its share; else null. */
  public static @Nullable Refusal refusal(MachineState state, QueueState queue, int part) {
    EntityShare share = of(state, queue, part);
    return share == null ? null : share.refusal();
  }

  /** What the entity of a queue holds and may hold; null when nothing limits it. */
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

  /** Sessions and remembered ids stay for their time, whatever the receivers do. */
  private static long heap(StoredMemory all, QueueState queue) {
    HeldMemory held = queue.held;
    return held.charged() - Math.min(held.staying(), all.most() / STAYING_PART);
  }

  /**
   * The refusal when the contents of the entity may not grow, by changed properties or session
   * states; else null. Receivers need this growth, so even an entity that holds too much may use
   * what is free, and always some.
   *
   * @param heapBytes the growth on the heap, 0 for none
   * @param bodyBytes the growth in the memory for bodies
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
   * Why a topic must wait before it copies more of its messages; null when it need not.
   *
   * @param changed whether copies may have properties of their own
   */
  public static @Nullable WaitReason copiesWait(
      MachineState state, QueueState topic, boolean changed) {
    WaitReason reason = copiesWait(state.stored, topic);
    return reason == null && changed ? changedCopiesWait(state, topic) : reason;
  }

  /**
   * Why a topic must wait before it copies more of its messages; null when it need not. A few
   * copies are always made: the messages still to be copied may be all that it holds, and only
   * copying frees them.
   */
  public static @Nullable WaitReason copiesWait(StoredMemory all, QueueState topic) {
    if (all.isExhausted()) {
      return WaitReason.STORE_FULL;
    }
    long held = heap(all, topic);
    if (all.free() > all.most() / OF_THE_REST || held <= most(held, all.free())) {
      return null;
    }
    long few = Math.min(growth(all.most(), 0), all.free() / FIRST_PART);
    return copyBytes(topic) > Math.max(FLOOR_BYTES, few) ? WaitReason.MEMORY_SHARE_EXCEEDED : null;
  }

  /**
   * Why a topic must wait before it makes more copies with properties of their own, each of which
   * is a body more; null when it need not. A few are always made, and more when those that it made
   * are received.
   */
  public static @Nullable WaitReason changedCopiesWait(MachineState state, QueueState topic) {
    if (state.changedCopiesWait) {
      return WaitReason.STORE_FULL;
    }
    StoredMemory all = state.stored;
    long held = topic.held.overlayBytes();
    boolean isScarce = all.freeBodies() <= all.mostBodies() / OF_THE_REST;
    return isScarce && held > most(held, all.freeBodies())
        ? WaitReason.MEMORY_SHARE_EXCEEDED
        : null;
  }

  /** Counted as if each copy began a session, in a subscription with sessions. */
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

  /** An entity that holds nearly nothing may get a large message, or many at once. */
  private static long most(long held, long free) {
    return Math.max(FLOOR_BYTES, free / (held > FLOOR_BYTES ? ENTITY_PART : FIRST_PART));
  }

  private static long growth(long all, long free) {
    return Math.max(Math.min(GROWTH_BYTES, all / GROWTH_PART), free);
  }

  /**
   * The least that its bodies take: copies of a topic's message share one body, so only the
   * subscription with the most counts, or the changed properties, which each copy has for itself.
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
    return Math.max(root.quotaBytes() - topic.bytes() + largest, root.held.overlayBytes());
  }
}

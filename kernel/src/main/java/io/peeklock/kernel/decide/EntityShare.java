package io.peeklock.kernel.decide;

import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.SessionIds;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SessionTable;
import io.peeklock.kernel.state.TopicState;
import org.jspecify.annotations.Nullable;

/**
 * How much of the shared memory one entity holds, and may hold, while one burst is decided and each
 * accepted message takes some of it.
 */
public final class EntityShare {
  private final QueueState queue;
  private long heap;
  private final long mostHeap;
  private long bodies;
  private final long mostBodies;

  /** What the entity holds and may hold of each memory; {@link Long#MAX_VALUE} for no bound. */
  EntityShare(QueueState queue, long heap, long mostHeap, long bodies, long mostBodies) {
    this.queue = queue;
    this.heap = heap;
    this.mostHeap = mostHeap;
    this.bodies = bodies;
    this.mostBodies = mostBodies;
  }

  /** The refusal when the entity already holds more than its share; else null. */
  public @Nullable Refusal refusal() {
    return refusal(0, 0);
  }

  /** The refusal when its share of the heap is used up; else null. */
  @Nullable Refusal ofHeap() {
    return ofHeap(0);
  }

  /** The refusal when its share of the memory for bodies is used up; else null. */
  @Nullable Refusal ofBodies() {
    return ofBodies(0);
  }

  /** The refusal when message {@code i} of a burst exceeds the share; else null. */
  public @Nullable Refusal refusal(SendBurst burst, int i) {
    return refusal(heapOf(burst, i), burst.sizes()[i]);
  }

  private @Nullable Refusal refusal(long moreHeap, long moreBodies) {
    Refusal ofHeap = ofHeap(moreHeap);
    return ofHeap == null ? ofBodies(moreBodies) : ofHeap;
  }

  private @Nullable Refusal ofHeap(long more) {
    return heap + more > mostHeap
        ? new Refusal.MemoryShareExceeded(false, heap + more, mostHeap)
        : null;
  }

  private @Nullable Refusal ofBodies(long more) {
    return bodies + more > mostBodies
        ? new Refusal.MemoryShareExceeded(true, bodies + more, mostBodies)
        : null;
  }

  /** Charges message {@code i} of a burst to the share. */
  public void take(SendBurst burst, int i) {
    heap += heapOf(burst, i);
    bodies += burst.sizes()[i];
  }

  /** An estimate: a topic may make a copy for each subscription, and each session may be new. */
  private long heapOf(SendBurst burst, int i) {
    long bytes = StoredMemory.ROW_BYTES;
    bytes += queue.rememberedIds() == null ? 0 : StoredMemory.ID_BYTES;
    @Nullable String[] sessionIds = burst.sessionIds();
    String id = sessionIds == null ? null : sessionIds[i];
    TopicState topic = queue.topic();
    if (topic != null) {
      long ofCopy = id == null ? bytes : bytes + sessionBytes(id);
      return Math.max(1, topic.subscriptions().size()) * (topic.hasSessions() ? ofCopy : bytes);
    }
    return id == null || isKnown(id) ? bytes : bytes + sessionBytes(id);
  }

  /** Whether a message of this session takes no more than others do. */
  private boolean isKnown(String sessionId) {
    SessionTable sessions = queue.sessions();
    return sessions == null || sessions.byId(sessionId) != null;
  }

  private static long sessionBytes(String id) {
    return StoredMemory.SESSION_BYTES + 2L * SessionIds.charactersHeld(id, SessionIds.folded(id));
  }
}

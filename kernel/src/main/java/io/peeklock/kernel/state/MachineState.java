package io.peeklock.kernel.state;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.columns.ForwardingHistory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.MessageTables;
import io.peeklock.kernel.columns.OverlayTable;
import io.peeklock.kernel.columns.PartedMap;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.columns.SharedBodies;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.Origin;
import java.util.ArrayDeque;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The state of a shard: durable (queues, counters, overlays) and volatile (locks, demand). The
 * handlers read it, the appliers alone change it.
 */
public final class MachineState {

  // ---- durable
  public final StoredMemory stored = new StoredMemory();
  public final Entities entities = new Entities(stored);
  public final OverlayTable overlays = new OverlayTable(stored);
  public final SharedBodies shared = new SharedBodies();
  public final ForwardingHistory forwardings = new ForwardingHistory();
  public final MessageTables tables = new MessageTables(overlays, shared, forwardings);
  public int nextQueueNumber = 1;
  public long nextBodyId = 1;

  /** Whether facts may be missing, which is so in the repair of a damaged log only. */
  public boolean mayMissFacts;

  private int snapshots;
  private @Nullable SnapshotListener snapshot; // being taken

  /** Ids of bodies that have lost their last reference. */
  public final LongList deadBodies = new LongList();

  // ---- volatile
  public final LockTable locks;
  public final ForwardingQueues forwards = new ForwardingQueues();
  public final DepartingReceivers departing = new DepartingReceivers();
  public final ArrayDeque<Grant.EmptyingBegins> emptyings = new ArrayDeque<>();
  private final PartedMap<Origin, QueueReceiver> receivers = new PartedMap<>();
  private final PartedMap<Origin, QueueState> acceptors = new PartedMap<>();
  public final DeliveryBudget room = new DeliveryBudget();
  private final ReadyQueues ready;
  public final TimeBounds bounds = new TimeBounds();
  public final WorkTurns turns = new WorkTurns();
  public final Prefetch prefetch = new Prefetch();

  /** See {@code Machine.sparesLog}. */
  public boolean sparesLog;

  /** See {@code Machine.changedCopiesWait}. */
  public boolean changedCopiesWait;

  /** The most subscriptions that one decision copies a message for. */
  public final int mostAtOnce;

  /** The empty state of a shard that holds at most {@code maxLocks} locks at a time. */
  public MachineState(int maxLocks, int mostAtOnce) {
    this.mostAtOnce = mostAtOnce;
    locks = new LockTable(maxLocks, stored);
    ready = new ReadyQueues(room, locks, entities);
  }

  /** Checks what holds as long as no fact is missing. */
  public void checkConsecutive(boolean condition, String rule) {
    Invariant.check(condition || mayMissFacts, rule);
  }

  /** Checks that new messages get the next numbers of their queue. */
  public void checkNumbersConsecutive(QueueState queue, long first) {
    Invariant.check(first >= queue.nextSequenceNumber(), "a number is used once");
    checkConsecutive(first == queue.nextSequenceNumber(), "numbers go up without a gap");
  }

  // ---- queues

  /** The queue with this number; null when it does not exist or is deleted. */
  public @Nullable QueueState queue(QueueId id) {
    return Entities.unlessDeleted(entities.at(id.number()));
  }

  /** The queue with this number, which must exist but may be deleted and not emptied yet. */
  public QueueState known(QueueId id) {
    return Invariant.present(
        entities.at(id.number()), "facts and grants are about queues that exist");
  }

  /** The same, but null when the facts that created it are missing. */
  public @Nullable QueueState knownUnlessMissing(QueueId id) {
    return mayMissFacts ? entities.at(id.number()) : known(id);
  }

  /** The subscription with this number; null when the facts that created it are missing. */
  public @Nullable SubscriptionState subscriptionUnlessMissing(QueueId id) {
    SubscriptionState subscription = known(id).subscription();
    checkConsecutive(subscription != null, "only a subscription has rules");
    return subscription;
  }

  /** The queue that a lock is on; null when no lock has this id now, or the queue is deleted. */
  public @Nullable QueueState queueOfLock(long lockId) {
    return Entities.unlessDeleted(entities.at(locks.queueOf(lockId))); // no queue has number 0
  }

  /** The queue that a lock is on, which must exist. */
  public QueueState knownQueueOfLock(long lockId) {
    return Invariant.present(
        entities.at(locks.queueOf(lockId)), "only a lock that is there is extended");
  }

  /** The queue with this name; case is ignored (S-060). */
  public @Nullable QueueState queue(String path) {
    return entities.at(path);
  }

  /** The queues in order of creation, without their dead-letter queues. */
  public Collection<QueueState> created() {
    return entities.created();
  }

  /** The deleted queues that are not emptied yet, in order of deletion. */
  public Collection<QueueState> deleted() {
    return entities.deleted();
  }

  /** Adds a queue; its path must be free unless facts are missing. */
  public void addQueue(QueueEntry entry, long nextSequenceNumber) {
    QueueState previous = queue(entry.definition().path());
    checkConsecutive(previous == null, "a queue is created once");
    if (previous != null) {
      Entities.wholeOf(previous).forEach(this::deleteQueue); // the facts are missing
    }
    bounds.note(entities.add(entry, nextSequenceNumber), locks);
  }

  /** Deletes a queue, except for its contents. */
  public void deleteQueue(QueueState queue) {
    bounds.forget(queue.id());
    bounds.forget(queue.deadLetters().id());
    entities.delete(queue);
    entities.dropIfEmptied(queue);
    forwards.restart(queue);
    forwards.restart(queue.deadLetters());
    refresh(queue);
    refresh(queue.deadLetters());
  }

  // ---- snapshots

  /** Gives a new snapshot its number. */
  public int nextSnapshot() {
    Invariant.check(snapshot == null, "one snapshot is taken at a time");
    return ++snapshots;
  }

  /**
   * Registers a snapshot, which sees every change of messages and session states before it happens,
   * until {@link #snapshotEnded}.
   */
  public void snapshotBegins(SnapshotListener begun) {
    snapshot = begun;
  }

  /** Ends the registration of the snapshot. */
  public void snapshotEnded() {
    snapshot = null;
  }

  /** Must be called before a fact is applied. */
  public void beforeFact(Fact fact) {
    if (snapshot != null) {
      snapshot.beforeFact(fact);
    }
  }

  /** Must be called before a fact changes the message at this place. */
  public void beforeChange(ChunkDirectory chunks, long place) {
    if (snapshot != null) {
      snapshot.beforeChange(chunks, Place.chunk(place));
    }
  }

  /** Must be called before a fact changes the state of a session. */
  public void beforeStateChange(QueueState queue, String sessionId) {
    if (snapshot != null) {
      snapshot.beforeStateChange(queue.id(), sessionId);
    }
  }

  /** Moves a message to the dead-letter queue in one step (S-204, I-21). */
  public void move(long index, QueueState queue, long place, DeadLetterCause cause) {
    QueueState target = queue.deadLetters();
    int overlaySlot = queue.messages().chunk(place).overlaySlot(Place.row(place));
    int overlayBytes = overlays.bytes(overlaySlot);
    beforeInsert(target.messages().chunks(), queue.messages().number(place));
    target.messages().addDeadLetter(queue.messages(), place, cause, index);
    target.messages().addBytes(overlayBytes);
    queue.messages().addBytes(-overlayBytes);
    queue.messages().remove(place);
  }

  /** Drops a message's reference to its body, which is dead if no other copy shares it. */
  public void dropBody(Chunk chunk, int row) {
    if (shared.drop(chunk.sharedSlot(row))) {
      deadBodies.add(chunk.bodyId(row));
    }
  }

  /** The place of a message, which must exist unless facts are missing; then {@link Place#NONE}. */
  public long find(QueueState queue, long number) {
    long place = queue.messages().find(number);
    checkConsecutive(place != Place.NONE, "facts are about messages here");
    if (place != Place.NONE) {
      beforeChange(queue.messages().chunks(), place);
    }
    return place;
  }

  /** Removes a message with its changed properties and, if no copy shares it, its body. */
  public void remove(QueueState queue, long place) {
    Chunk chunk = queue.messages().chunk(place);
    int row = Place.row(place);
    dropBody(chunk, row);
    dropOverlay(queue, chunk.overlaySlot(row));
    queue.messages().remove(place);
  }

  /** Drops the changed properties in a slot. */
  public void dropOverlay(QueueState queue, int slot) {
    if (slot != 0) {
      deadBodies.add(overlays.bodyId(slot));
      queue.messages().addBytes(-overlays.bytes(slot));
      queue.held.overlayLeft(overlays.bytes(slot));
      overlays.remove(slot);
    }
  }

  /** Must be called before a message with this number is inserted into these chunks. */
  public void beforeInsert(ChunkDirectory chunks, long number) {
    if (snapshot != null) {
      snapshot.beforeChange(chunks, Math.max(0, chunks.covering(number)));
    }
  }

  // ---- receivers

  /** The receiver of this origin; null when there is none. */
  public @Nullable QueueReceiver receiver(Origin origin) {
    return receivers.get(origin);
  }

  /** The receiver of this origin, which must exist. */
  public QueueReceiver knownReceiver(Origin origin) {
    return Invariant.present(receivers.get(origin), "grants are about receivers that exist");
  }

  /** Adds a receiver, to its queue too. */
  public void addReceiver(QueueReceiver receiver) {
    receivers.put(receiver.origin, receiver);
    receiver.queue.receivers.add(receiver);
  }

  /** Removes a receiver, from its queue too. */
  public void removeReceiver(QueueReceiver receiver) {
    receivers.remove(receiver.origin);
    receiver.queue.receivers.remove(receiver);
  }

  /** The queue on which this origin waits for a session; null when it does not wait. */
  public @Nullable QueueState queueOfAcceptor(Origin origin) {
    return acceptors.get(origin);
  }

  /** Notes that this origin waits for a session of a queue. */
  public void addAcceptor(Origin origin, QueueState queue) {
    acceptors.put(origin, queue);
  }

  /** Notes that this origin waits no more. */
  public void removeAcceptor(Origin origin) {
    acceptors.remove(origin);
  }

  // ---- pending work

  /** Updates everything derived from a queue's state; must be called after any change of it. */
  public void refresh(QueueState queue) {
    queue.messages().readyIndex().advance();
    queue.forgetWaitingIds();
    if (!queue.isDeleted()) {
      bounds.note(queue, locks);
    }
    forwards.refresh(queue);
    ready.refresh(queue);
  }

  /**
   * Computes the next due times of a queue again after it was served; a deleted queue is ignored.
   */
  public void renewBounds(QueueId id) {
    QueueState queue = queue(id);
    if (queue != null) {
      bounds.renew(queue, locks);
    }
  }

  /** The queue whose turn it is to dispatch; null when none can now. */
  public @Nullable QueueState readyQueue() {
    return ready.first();
  }

  /** Whether some queue can dispatch, or changed queues are still to be checked. */
  public boolean wantsDispatch() {
    return ready.first() != null || ready.movesOn();
  }

  /**
   * The queue whose turn it is to forward; null when there is none. No queue forwards while a
   * namespace is emptied, as messages must not move into entities that are empty already.
   */
  public @Nullable QueueState forwardingQueue() {
    return emptyings.isEmpty() ? forwards.first() : null;
  }

  /** Moves a queue to the end of the line after its turn to dispatch. */
  public void hadItsTurn(QueueState queue) {
    ready.hadItsTurn(queue);
  }
}

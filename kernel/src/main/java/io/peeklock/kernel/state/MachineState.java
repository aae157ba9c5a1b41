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
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.request.Origin;
import java.util.ArrayDeque;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Everything a shard knows: durable (queues, counters, overlays) and volatile (locks, demand). */
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

  /** Some facts may be missing before those that come: in the repair of a damaged log only. */
  public boolean mayMissFacts;

  private int snapshots;
  private @Nullable SnapshotListener snapshot; // being taken

  /** Bodies that nothing refers to any more. */
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
  public final Turns turns = new Turns();
  public final Prefetch prefetch = new Prefetch();

  /** See {@link Machine#sparesLog}. */
  public boolean sparesLog;

  /** {@link TopicState#MOST_AT_ONCE}, but in tests. What was decided under another one holds. */
  public int mostAtOnce = TopicState.MOST_AT_ONCE;

  public MachineState(int maxLocks) {
    locks = new LockTable(maxLocks, stored);
    ready = new ReadyQueues(room, locks, entities);
  }

  /** What holds because no fact is missing. */
  public void checkConsecutive(boolean condition, String rule) {
    Invariant.check(condition || mayMissFacts, rule);
  }

  /** Messages get numbers from this one on. */
  public void checkNumbersConsecutive(QueueState queue, long first) {
    Invariant.check(first >= queue.nextSequenceNumber(), "a number is used once");
    checkConsecutive(first == queue.nextSequenceNumber(), "numbers go up without a gap");
  }

  // ---- queues

  /** The queue with this number, null when there is none, or none any more. */
  public @Nullable QueueState queue(QueueId id) {
    return Entities.unlessDeleted(entities.at(id.number()));
  }

  /** The queue with this number, which must be there, if only to be emptied. */
  public QueueState known(QueueId id) {
    return Invariant.present(
        entities.at(id.number()), "facts and grants are about queues that exist");
  }

  /** The same, but null where facts are missing that made it. */
  public @Nullable QueueState knownUnlessMissing(QueueId id) {
    return mayMissFacts ? entities.at(id.number()) : known(id);
  }

  /** The subscription with this number, but null where facts are missing that made it one. */
  public @Nullable SubscriptionState subscriptionUnlessMissing(QueueId id) {
    SubscriptionState subscription = known(id).subscription();
    checkConsecutive(subscription != null, "only a subscription has rules");
    return subscription;
  }

  /** The queue that a lock is on, null when the id is not of a lock now, or the queue is gone. */
  public @Nullable QueueState queueOfLock(long lockId) {
    return Entities.unlessDeleted(entities.at(locks.queueOf(lockId))); // none has number 0
  }

  /** The queue that a lock is on, which must be there. */
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

  /** Those that are no more and still hold something, in order of deletion. */
  public Collection<QueueState> deleted() {
    return entities.deleted();
  }

  public void addQueue(QueueEntry entry, long nextSequenceNumber) {
    QueueState previous = queue(entry.definition().path());
    checkConsecutive(previous == null, "a queue is created once");
    if (previous != null) {
      Entities.wholeOf(previous).forEach(this::deleteQueue); // what says so is missing
    }
    bounds.note(entities.add(entry, nextSequenceNumber), locks);
  }

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

  /** The number of a snapshot that begins now. */
  public int nextSnapshot() {
    Invariant.check(snapshot == null, "one snapshot is taken at a time");
    return ++snapshots;
  }

  /** It is told of all that changes until it ends. */
  public void snapshotBegins(SnapshotListener begun) {
    snapshot = begun;
  }

  public void snapshotEnded() {
    snapshot = null;
  }

  /** A fact is about to change the message at this place. */
  public void beforeChange(ChunkDirectory chunks, long place) {
    if (snapshot != null) {
      snapshot.beforeChange(chunks, Place.chunk(place));
    }
  }

  /** A fact is about to change the state of a session. */
  public void beforeStateChange(QueueState queue, String sessionId) {
    if (snapshot != null) {
      snapshot.beforeStateChange(queue.id(), sessionId);
    }
  }

  /** A message leaves its queue and enters the dead-letter queue in the same step (S-204, I-21). */
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

  /** A message is about to go: nothing but perhaps its other copies refers to its body. */
  public void dropBody(Chunk chunk, int row) {
    if (shared.drop(chunk.sharedSlot(row))) {
      deadBodies.add(chunk.bodyId(row));
    }
  }

  /** Where the message of a fact is, which must be there unless facts are missing. */
  public long find(QueueState queue, long number) {
    long place = queue.messages().find(number);
    checkConsecutive(place != Place.NONE, "facts are about messages here");
    if (place != Place.NONE) {
      beforeChange(queue.messages().chunks(), place);
    }
    return place;
  }

  /** A message is gone, with its changed properties and, if no other has it, its body. */
  public void remove(QueueState queue, long place) {
    Chunk chunk = queue.messages().chunk(place);
    int row = Place.row(place);
    dropBody(chunk, row);
    dropOverlay(queue, chunk.overlaySlot(row));
    queue.messages().remove(place);
  }

  /** The changed properties of this slot are gone. */
  public void dropOverlay(QueueState queue, int slot) {
    if (slot != 0) {
      deadBodies.add(overlays.bodyId(slot));
      queue.messages().addBytes(-overlays.bytes(slot));
      queue.held.overlayLeft(overlays.bytes(slot));
      overlays.remove(slot);
    }
  }

  /** A message with this number is about to come into these chunks. */
  public void beforeInsert(ChunkDirectory chunks, long number) {
    if (snapshot != null) {
      snapshot.beforeChange(chunks, Math.max(0, chunks.covering(number)));
    }
  }

  // ---- receivers

  public @Nullable QueueReceiver receiver(Origin origin) {
    return receivers.get(origin);
  }

  /** The receiver of this origin, which must be there. */
  public QueueReceiver knownReceiver(Origin origin) {
    return Invariant.present(receivers.get(origin), "grants are about receivers that exist");
  }

  public void addReceiver(QueueReceiver receiver) {
    receivers.put(receiver.origin, receiver);
    receiver.queue.receivers.add(receiver);
  }

  public void removeReceiver(QueueReceiver receiver) {
    receivers.remove(receiver.origin);
    receiver.queue.receivers.remove(receiver);
  }

  /** The queue on which somebody waits for a session, null when he does not. */
  public @Nullable QueueState queueOfAcceptor(Origin origin) {
    return acceptors.get(origin);
  }

  public void addAcceptor(Origin origin, QueueState queue) {
    acceptors.put(origin, queue);
  }

  public void removeAcceptor(Origin origin) {
    acceptors.remove(origin);
  }

  // ---- what waits to be done

  /** Brings up to date what follows from a queue's state, after something of it changed. */
  public void refresh(QueueState queue) {
    queue.messages().readyIndex().advance();
    if (!queue.isDeleted()) {
      bounds.note(queue, locks);
    }
    forwards.refresh(queue);
    ready.refresh(queue);
  }

  /** A queue was looked at; it may be no more. */
  public void renewBounds(QueueId id) {
    QueueState queue = queue(id);
    if (queue != null) {
      bounds.renew(queue, locks);
    }
  }

  /** The queue whose turn it is to dispatch, null when none can now. */
  public @Nullable QueueState readyQueue() {
    return ready.first();
  }

  /** Whether some queue can dispatch, or it is still to be found out. */
  public boolean wantsDispatch() {
    return ready.first() != null || ready.movesOn();
  }

  /**
   * The queue whose turn it is to forward, null when none has anything. While a namespace is
   * emptied nobody does: what is still to be emptied must not move into what is empty already.
   */
  public @Nullable QueueState forwardingQueue() {
    return emptyings.isEmpty() ? forwards.first() : null;
  }

  /** Puts a queue at the end of the line once it had its turn. */
  public void hadItsTurn(QueueState queue) {
    ready.hadItsTurn(queue);
  }
}

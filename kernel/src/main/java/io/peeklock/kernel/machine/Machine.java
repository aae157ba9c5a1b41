package io.peeklock.kernel.machine;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.administration.CountHandler;
import io.peeklock.kernel.administration.CreateQueueHandler;
import io.peeklock.kernel.administration.DeleteQueueHandler;
import io.peeklock.kernel.administration.EmptyNamespaceHandler;
import io.peeklock.kernel.administration.IdleHandler;
import io.peeklock.kernel.administration.LimitHandler;
import io.peeklock.kernel.administration.RuleHandler;
import io.peeklock.kernel.administration.UpdateQueueHandler;
import io.peeklock.kernel.administration.UsageTracker;
import io.peeklock.kernel.apply.FactApplier;
import io.peeklock.kernel.apply.GrantApplier;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.deliver.DeleteMessagesHandler;
import io.peeklock.kernel.deliver.DemandHandler;
import io.peeklock.kernel.deliver.DispatchHandler;
import io.peeklock.kernel.deliver.PeekHandler;
import io.peeklock.kernel.deliver.ReceiveDeferredHandler;
import io.peeklock.kernel.deliver.SessionDispatch;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.entity.QueueCounts;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.forward.ForwardHandler;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.HeldUp;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.kernel.schedule.CancelHandler;
import io.peeklock.kernel.send.SendHandler;
import io.peeklock.kernel.session.SessionHandler;
import io.peeklock.kernel.session.SessionStateHandler;
import io.peeklock.kernel.settle.ReleaseHandler;
import io.peeklock.kernel.settle.RenewHandler;
import io.peeklock.kernel.settle.SettleHandler;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.kernel.snapshot.StateHash;
import io.peeklock.kernel.state.DeliveryBudget;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.TopicState;
import io.peeklock.kernel.transaction.CommitHandler;
import io.peeklock.kernel.transaction.TransactionHandler;
import io.peeklock.kernel.turn.TickHandler;
import io.peeklock.kernel.turn.TurnHandler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One shard's rules and state: requests in, decisions out; facts and grants in, state changed.
 *
 * <p>Deciding changes nothing. The caller applies each decision completely before it asks for the
 * next: first the facts in order, with the index of the stamp, then the grants in order. It hands
 * the effects out once the facts are durable. A replay applies facts only. So:
 *
 * <pre>
 *   decision = decide(stamp, request)       with needs: read that body, ask again
 *   facts → apply(index, fact)  grants → apply(grant)  effects → the gate
 *   while (wantsForward()) the same with forward(stamp, what was read)
 *   while (wantsDispatch()) the same with dispatch(stamp)
 *   when nextTickMillis(stamp) is over, the same with tick(stamp)
 * </pre>
 *
 * <p>Effects carry the stamp's index, with two exceptions: a peek-lock delivery carries the index
 * of the newest fact about its messages, or a later one, and the end of a drain carries that of the
 * receiver's last delivery. So neither waits for unrelated facts.
 *
 * <p>Single-threaded. A broken invariant leaves the machine unusable.
 */
public final class Machine {

  private static final int MAX_LOCKS = 1 << 24;

  private final MachineState state;
  private final FactApplier facts;
  private final GrantApplier grants;
  private LimitHandler limits;

  /** An empty shard. */
  public Machine() {
    this(MAX_LOCKS);
  }

  /** An empty shard that holds at most {@code maxLocks} locks at a time. */
  public Machine(int maxLocks) {
    this(maxLocks, TopicState.MOST_AT_ONCE);
  }

  /**
   * The same, which copies a message for at most {@code mostAtOnce} subscriptions in one decision,
   * from 1. Its log is valid for a machine with another bound.
   */
  public Machine(int maxLocks, int mostAtOnce) {
    state = new MachineState(maxLocks, mostAtOnce);
    facts = new FactApplier(state);
    grants = new GrantApplier(state);
    limits = new LimitHandler(state, NamespaceLimits.NONE);
  }

  /**
   * Sets the limits for entities and rules that are created from now on; what exists already stays.
   * Not called in a replay.
   */
  public void limit(NamespaceLimits newLimits) {
    limits = new LimitHandler(state, newLimits);
  }

  /**
   * Sets a number that clients do not know, of this process alone, by which it places the message
   * ids that it remembers; no decision depends on it. Called before any fact.
   */
  public void placeIdsBy(long key) {
    state.entities.placeIdsBy(key);
  }

  /**
   * Sets whether an expired lock counts as a failed attempt. With {@code true} it does not, and
   * nothing is logged for it, as for a lock that ends with the process (S-042): a full store may
   * log only what frees room. Volatile.
   */
  public void sparesLog(boolean spares) {
    state.sparesLog = spares;
  }

  /**
   * Sets whether copies that bring properties of their own wait in the backlogs of their topics, as
   * the store has no room for them. Volatile.
   */
  public void changedCopiesWait(boolean wait) {
    state.changedCopiesWait = wait;
  }

  /** The budget of deliveries that are on their way to receivers. */
  public DeliveryBudget deliveries() {
    return state.room;
  }

  /** How much heap the stored messages use, and may use. */
  public StoredMemory stored() {
    return state.stored;
  }

  /**
   * Continues the lock ids of an earlier machine, so that a token of that one never names a lock of
   * this one.
   */
  public void succeed(Machine earlier) {
    state.locks.goOnBehind(earlier.state.locks);
  }

  /**
   * Decides one request. Changes nothing. What is refused shows in the effects, as {@code
   * Effect.Refused} or inside an answer, and not at all for a request without a ticket. Throws on a
   * broken invariant only.
   */
  public Decision decide(Stamp stamp, Request request) {
    Decision refused = limits.refused(stamp, request);
    return UsageTracker.noted(
        state, stamp, request, refused == null ? granted(stamp, request) : refused);
  }

  private Decision granted(Stamp stamp, Request request) {
    return switch (request) { // no default: a new request must be handled to compile
      case Request.CreateQueue create -> CreateQueueHandler.decide(state, stamp, create);
      case EntityRequest.UpdateQueue update -> UpdateQueueHandler.decide(state, stamp, update);
      case EntityRequest.DeleteQueue delete -> DeleteQueueHandler.decide(state, stamp, delete);
      case EntityRequest.EmptyNamespace empty -> EmptyNamespaceHandler.decide(state, stamp, empty);
      case EntityRequest.DeleteMessages delete ->
          DeleteMessagesHandler.decide(state, stamp, delete);
      case EntityRequest.CountMessages count -> CountHandler.decide(state, stamp, count);
      case Request.AddRule add -> RuleHandler.decide(state, stamp, add);
      case Request.RemoveRule remove -> RuleHandler.decide(state, stamp, remove);
      case EntityRequest.ReplaceRule replace -> RuleHandler.decide(state, stamp, replace);
      case Request.ListRules list -> RuleHandler.decide(state, stamp, list);
      case Request.Send send -> SendHandler.decide(state, stamp, send);
      case TransactionRequest.GiveNumbers give -> SendHandler.decide(state, stamp, give);
      case TransactionRequest.CheckSessionState check ->
          SessionStateHandler.decide(state, stamp, check);
      case TransactionRequest.FindScheduled find -> CancelHandler.decide(state, stamp, find);
      case Request.CancelScheduled cancel -> CancelHandler.decide(state, stamp, cancel);
      case Request.OpenReceiver open -> DemandHandler.decide(state, stamp, open);
      case Request.Flow flow -> DemandHandler.decide(state, flow);
      case Request.Transferred transferred -> DemandHandler.decide(state, transferred);
      case Request.Undelivered undelivered -> ReleaseHandler.decide(state, stamp, undelivered);
      case Request.CloseReceiver close -> DemandHandler.decide(state, stamp, close);
      case Request.AcceptSession accept -> SessionHandler.decide(state, stamp, accept);
      case Request.RenewSession renew -> SessionHandler.decide(state, stamp, renew);
      case Request.GetSessionState get -> SessionStateHandler.decide(state, stamp, get);
      case Request.SetSessionState set -> SessionStateHandler.decide(state, stamp, set);
      case Request.ListSessions list -> SessionStateHandler.decide(state, stamp, list);
      case Request.Settle settle -> SettleHandler.decide(state, stamp, settle);
      case TransactionRequest.Enlist enlist -> TransactionHandler.decide(state, stamp, enlist);
      case TransactionRequest.Commit commit -> CommitHandler.decide(state, stamp, commit);
      case TransactionRequest.Rollback rollback -> TransactionHandler.decide(stamp, rollback);
      case Request.Renew renew -> RenewHandler.decide(state, stamp, renew);
      case Request.ReceiveDeferred receive -> ReceiveDeferredHandler.decide(state, stamp, receive);
      case Request.Peek peek -> PeekHandler.decide(state, stamp, peek);
    };
  }

  /**
   * Whether {@link #dispatch} may have work: a queue with demand or a drain that can be served, or
   * changed queues that are still to be checked. Each dispatch that is applied gets closer to
   * false.
   */
  public boolean wantsDispatch() {
    return state.wantsDispatch();
  }

  /**
   * Hands available messages to demand: one bounded slice of at most 512 for the queue whose turn
   * it is; {@link Decision#NOTHING} while changed queues are still being checked. Changes nothing.
   */
  public Decision dispatch(Stamp stamp) {
    QueueState queue = state.readyQueue();
    if (queue == null) {
      return Decision.NOTHING;
    }
    return UsageTracker.delivered(
        queue,
        stamp,
        queue.sessions() == null
            ? DispatchHandler.decide(state, queue, stamp)
            : SessionDispatch.decide(state, queue, queue.sessions(), stamp));
  }

  /**
   * How long until {@link #tick} has something to do, in milliseconds from the stamp: 0 for now,
   * {@link Long#MAX_VALUE} for never. May be too early, never too late.
   */
  public long nextTickMillis(Stamp stamp) {
    return TurnHandler.isAnythingLeft(state)
        ? 0
        : Math.min(
            TickHandler.nextTickMillis(state, stamp), IdleHandler.nextTickMillis(state, stamp));
  }

  /**
   * Decides one bounded slice of timed work (locks, expiry, schedules, idle entities) or of work
   * that earlier requests left over. What remains shows in {@link #nextTickMillis}. Changes
   * nothing.
   *
   * @param bodies the bodies that an earlier tick asked for, as far as they could be read; null
   *     while they are being read, which leaves work that needs them for later
   */
  public Decision tick(Stamp stamp, @Nullable FetchedBodies bodies) {
    return TurnHandler.decide(state, stamp, bodies);
  }

  /** Whether some queue has messages to move on (S-285, S-197). */
  public boolean wantsForward() {
    return state.forwardingQueue() != null;
  }

  /**
   * Moves messages on: one bounded slice of one hop for the queue whose turn it is. Changes
   * nothing.
   *
   * @param bodies as for {@link #tick}
   */
  public Decision forward(Stamp stamp, @Nullable FetchedBodies bodies) {
    QueueState queue = state.forwardingQueue();
    return queue == null || bodies == null
        ? Decision.NOTHING
        : UsageTracker.forwarded(
            state, stamp, new ForwardHandler(state, queue, stamp, bodies).decide());
  }

  /**
   * Makes a fact true.
   *
   * @param index of the batch that it is in, from 0
   */
  public void apply(long index, Fact fact) {
    facts.apply(index, fact);
  }

  /**
   * Accepts gaps between facts from now on: counters continue from the next fact, and facts about
   * unknown messages are skipped. For the repair of a damaged log, never for a broker.
   */
  public void expectGaps() {
    state.mayMissFacts = true;
  }

  /** Changes volatile state. Not called in a replay. */
  public void apply(Grant grant) {
    grants.apply(grant);
  }

  /** The id that the next body gets, as the facts so far say. */
  public long nextBodyId() {
    return state.nextBodyId;
  }

  /**
   * Takes the ids of bodies and changed properties that lost their last reference since the last
   * call.
   */
  public long[] takeDeadBodies() {
    return state.deadBodies.take();
  }

  /**
   * Begins a snapshot of the durable state as it is now, while the machine keeps working.
   *
   * @return the snapshot, to be read part by part; it must be ended before another begins
   */
  public Snapshot beginSnapshot() {
    return Snapshot.begin(state);
  }

  /** The queues in order of creation. */
  public List<QueueEntry> queues() {
    List<QueueEntry> entries = new ArrayList<>();
    for (QueueState queue : state.created()) {
      entries.add(queue.entry());
    }
    return entries;
  }

  /**
   * How many messages a queue or dead-letter queue holds.
   *
   * @throws IllegalArgumentException when there is no such queue
   */
  public QueueCounts counts(QueueId queue) {
    QueueState found = state.queue(queue);
    if (found == null) {
      throw new IllegalArgumentException("there is no queue " + queue.number());
    }
    return found.counts();
  }

  /**
   * What of a queue, topic or dead-letter queue cannot go on by itself; null when nothing is held
   * up, or there is no such queue.
   */
  public @Nullable HeldUp heldUp(QueueId queue) {
    QueueState found = state.queue(queue);
    return found == null ? null : found.heldUp();
  }

  /** Whether any entity holds a message, in whatever state, or the state of a session. */
  public boolean holdsAnything() {
    for (QueueState queue : state.created()) {
      if (!queue.isEmptied()) {
        return true;
      }
    }
    return false;
  }

  /** Whether this request sets a state for a session that would have nothing but that state. */
  public boolean makesSession(Request.SetSessionState set) {
    return set.bytes() >= 0 && SessionStateHandler.isAlone(state, set);
  }

  /** How many rules the subscriptions of a topic have together; 0 when the id names no topic. */
  public int rules(QueueId queue) {
    QueueState found = state.queue(queue);
    return found == null || found.topic() == null ? 0 : found.topic().rules().tally().rules();
  }

  /** A hash of the durable state: equal facts give equal hashes, in any JVM. */
  public long stateHash() {
    return StateHash.of(state);
  }

  /** The state itself, for the checkers of the tests. */
  public MachineState state() {
    return state;
  }
}

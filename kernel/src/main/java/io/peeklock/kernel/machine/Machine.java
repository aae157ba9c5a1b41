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
 * <p>Nothing that decides changes anything. Whoever asks applies a decision whole before asking
 * again: its facts in order, with the index of the stamp, then its grants in order; and hands its
 * effects out once they are durable. A replay applies facts only. So:
 *
 * <pre>
 *   decision = decide(stamp, request)       with needs: read that body, ask again
 *   facts → apply(index, fact)  grants → apply(grant)  effects → the gate
 *   while (wantsForward()) the same with forward(stamp, what was read)
 *   while (wantsDispatch()) the same with dispatch(stamp)
 *   when nextTickMillis(stamp) is over, the same with tick(stamp)
 * </pre>
 *
 * <p>Effects carry the stamp's index, but for two: peek-lock deliveries carry the newest fact about
 * their messages or a later one, and the end of a drain that of the receiver's last delivery, so
 * that neither waits for what has nothing to do with it.
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

  /** An empty shard that holds at most so many locks at a time. */
  public Machine(int maxLocks) {
    state = new MachineState(maxLocks);
    facts = new FactApplier(state);
    grants = new GrantApplier(state);
    limits = new LimitHandler(state, NamespaceLimits.NONE);
  }

  /** From now on no more than this is made. Not called in a replay, which makes what was made. */
  public void limit(NamespaceLimits newLimits) {
    limits = new LimitHandler(state, newLimits);
  }

  /**
   * Whether, from now on, a lock that ends by its time is no failed attempt, so that nothing is
   * written for it: where nothing may be written that frees nothing. Such a lock is as one that
   * ends with the process (S-042). Volatile.
   */
  public void sparesLog(boolean spares) {
    state.sparesLog = spares;
  }

  /** What may be, and is, under way to receivers. */
  public DeliveryBudget deliveries() {
    return state.room;
  }

  /** What stored messages take of the heap, and may take. */
  public StoredMemory stored() {
    return state.stored;
  }

  /** Its locks get other ids than those of one before it, whose tokens are good for nothing. */
  public void succeed(Machine earlier) {
    state.locks.goOnBehind(earlier.state.locks);
  }

  /** Decides one request. Changes nothing. */
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
   * Whether some queue has demand, or a drain to end, and something to do for it, or very many have
   * changed and it is still to be found out. Every {@link #dispatch} that is applied gets nearer to
   * false.
   */
  public boolean wantsDispatch() {
    return state.wantsDispatch();
  }

  /**
   * Hands available messages to demand: one bounded slice of at most 512 for the queue whose turn
   * it is; {@link Decision#NOTHING} while that is still to be found out. Changes nothing.
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
   * One bounded slice of what the passing of time does, or of what earlier requests left over, in
   * turn. What is left shows in {@link #nextTickMillis}. Changes nothing.
   *
   * @param bodies what was read of the bodies that an earlier tick needs; null while it is being
   *     read, so that what needs it is left
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
   * From now on facts may be missing before those that are applied: counters go on where the next
   * fact has them, facts about messages that nobody knows are passed over. For the repair of a
   * damaged log, never for a broker.
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

  /** Ids of bodies and changed properties that nothing refers to any more, since the last call. */
  public long[] takeDeadBodies() {
    return state.deadBodies.take();
  }

  /**
   * Begins to write the durable state down as it is now, without stopping anything.
   *
   * @return what says it, part by part; must be ended before another begins
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

  /** Whether any entity holds a message, in whatever state, or the state of a session. */
  public boolean holdsAnything() {
    for (QueueState queue : state.created()) {
      if (!queue.isEmptied()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a session would be kept for this state alone. */
  public boolean makesSession(Request.SetSessionState set) {
    return set.bytes() >= 0 && SessionStateHandler.isAlone(state, set);
  }

  /** How many rules the subscriptions of a topic have; 0 for what is none. */
  public int rules(QueueId queue) {
    QueueState found = state.queue(queue);
    return found == null || found.topic() == null ? 0 : found.topic().rules().tally().rules();
  }

  /** One number for the durable state: equal facts give equal hashes, in any JVM. */
  public long stateHash() {
    return StateHash.of(state);
  }

  /** For the checkers of the tests beside this class. */
  public MachineState state() {
    return state;
  }
}

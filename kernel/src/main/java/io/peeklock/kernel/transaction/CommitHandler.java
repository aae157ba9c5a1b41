package io.peeklock.kernel.transaction;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.kernel.schedule.CancelHandler;
import io.peeklock.kernel.send.EnqueueFacts;
import io.peeklock.kernel.send.SendValidation;
import io.peeklock.kernel.send.TransferQueues;
import io.peeklock.kernel.session.SessionStateHandler;
import io.peeklock.kernel.settle.LockCheck;
import io.peeklock.kernel.settle.PropertyChange;
import io.peeklock.kernel.settle.SettleContext;
import io.peeklock.kernel.settle.SettleHandler;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits a transaction with all of its effects, or with none (S-379, S-399, I-27). Everything is
 * judged by the state before it, except that its sends may use the quota that it frees; the first
 * refusal refuses the whole. A commit is one decision, so it is one batch of the log, which is
 * there completely or not at all.
 */
public final class CommitHandler {

  private final MachineState state;
  private final Stamp stamp;
  private final TransactionRequest.Commit commit;
  private final DecisionBuilder draft = new DecisionBuilder();
  private final List<EnqueueFacts> arrivals = new ArrayList<>();
  private final TransferQueues transfers;
  private final ReleasedQuota freed = new ReleasedQuota();
  private final boolean[] kept;
  private SessionStateHandler.Earlier earlier = SessionStateHandler.Earlier.NONE;
  private int bodies;
  private long nextBodyId;

  private CommitHandler(MachineState state, Stamp stamp, TransactionRequest.Commit commit) {
    this.state = state;
    this.stamp = stamp;
    this.commit = commit;
    this.kept = new boolean[bodiesOf(commit)];
    this.nextBodyId = state.nextBodyId;
    this.transfers = new TransferQueues(state, stamp);
  }

  /** Decides the commit; a refused one is rolled back, and answered with the first refusal. */
  public static Decision decide(MachineState state, Stamp stamp, TransactionRequest.Commit commit) {
    CommitHandler handler = new CommitHandler(state, stamp, commit);
    Refusal refusal = handler.judge();
    return refusal == null
        ? handler.decision()
        : TransactionHandler.decide(
            stamp,
            new TransactionRequest.Rollback(
                commit.origin(), commit.ticket(), commit.transaction(), refusal));
  }

  private static int bodiesOf(TransactionRequest.Commit commit) {
    int bodies = 0;
    for (Request.Settle settle : commit.settlements()) {
      bodies += settle.overlay() == null ? 0 : 1;
    }
    for (Request.SetSessionState set : commit.states()) {
      bodies += set.bytes() < 0 ? 0 : 1;
    }
    for (Request.Send send : commit.sends()) {
      bodies += send.burst().count();
    }
    return bodies;
  }

  /** Adds everything to the draft, up to the first refusal. */
  private @Nullable Refusal judge() {
    Refusal refusal = null;
    for (Request.Settle settle : commit.settlements()) {
      refusal = refusal == null ? settle(settle) : refusal;
    }
    for (Request.CancelScheduled cancel : commit.cancellations()) {
      refusal = refusal == null ? cancel(cancel) : refusal;
    }
    for (Request.SetSessionState set : commit.states()) {
      refusal = refusal == null ? set(set) : refusal;
    }
    for (Request.Send send : commit.sends()) {
      refusal = refusal == null ? send(send) : refusal;
    }
    return refusal;
  }

  /** Settles; a lock is lost with its session (S-245) or its queue. */
  private @Nullable Refusal settle(Request.Settle settle) {
    QueueState queue = state.queue(settle.queue());
    if (queue == null) {
      return new Refusal.EntityNotFound();
    }
    LockCheck held = LockCheck.enlisted(state, queue, stamp, settle, commit.transaction());
    if (held.refusals() != null) {
      return Refusals.first(held.refusals());
    }
    Refusal overShare = SettleHandler.overShare(state, queue, settle);
    if (overShare != null) {
      return overShare;
    }
    PropertyChange change = PropertyChange.of(state, queue, settle, held, nextBodyId);
    Invariant.check(change.needs() == 0, "nobody else changes an enlisted message");
    if (settle.settlement() == Settlement.COMPLETE) {
      freed.leave(state, queue, held.numbers());
    }
    if (held.count() > 0) {
      SettleHandler.settle(
          settle.settlement(), new SettleContext(queue, stamp, held, change, draft));
    }
    if (settle.overlay() != null) {
      keep(change.isStored());
    }
    return null;
  }

  private @Nullable Refusal cancel(Request.CancelScheduled cancel) {
    Refusal refusal = CancelHandler.cancel(state, cancel, draft);
    if (refusal == null) {
      freed.cancelled(state.known(cancel.queue()), cancel.sequenceNumbers());
    }
    return refusal;
  }

  /** S-525. */
  private @Nullable Refusal set(Request.SetSessionState set) {
    Refusal refusal = SessionStateHandler.refusal(state, stamp, set, earlier);
    if (refusal != null) {
      return refusal;
    }
    earlier =
        new SessionStateHandler.Earlier(
            earlier.states() + (SessionStateHandler.isFirst(state, stamp, set) ? 1 : 0),
            earlier.bytes() + Math.max(0, set.bytes()));
    SessionStateHandler.set(state, stamp, set, nextBodyId, draft);
    if (set.bytes() >= 0) {
      keep(true);
    }
    return null;
  }

  private @Nullable Refusal send(Request.Send send) {
    QueueState queue = state.queue(send.queue());
    Refusal closed = TransferQueues.refusal(state, send);
    if (queue == null || closed != null) {
      return closed == null ? new Refusal.EntityNotFound() : closed;
    }
    SendValidation validation =
        SendValidation.of(state, queue, stamp, send.burst(), freed.in(queue));
    QueueState place = queue;
    QueueState via = TransferQueues.via(state, send);
    if (via != null && transfers.waits(via, queue, validation)) {
      Refusal full = transfers.refusal(via, send.burst());
      if (full != null) {
        return full;
      }
      validation = SendValidation.withAllRoom(queue, stamp, send.burst());
      place = transfers.place(via, queue, draft);
    }
    if (validation.refusals() != null) {
      return Refusals.first(validation.refusals());
    }
    EnqueueFacts arriving = new EnqueueFacts(place, stamp, send, validation, transfers);
    arriving.add(draft, nextBodyId);
    arrivals.add(arriving);
    if (validation.refusals() != null) { // S-055
      return Refusals.first(validation.refusals());
    }
    for (int i = 0; i < send.burst().count(); i++) {
      keep(validation.stores(i));
    }
    return null;
  }

  /** Notes whether the facts refer to the next staged body. */
  private void keep(boolean isStored) {
    kept[bodies++] = isStored;
    nextBodyId += isStored ? 1 : 0;
  }

  private Decision decision() {
    if (kept.length > 0) {
      draft.keepBodies(kept);
    }
    for (EnqueueFacts each : arrivals) {
      nextBodyId = each.addRest(draft, nextBodyId);
    }
    return draft
        .add(new Grant.TransactionOver(commit.transaction()))
        .add(new Effect.TransactionEnded(commit.origin(), stamp.index(), commit.ticket()))
        .build();
  }
}

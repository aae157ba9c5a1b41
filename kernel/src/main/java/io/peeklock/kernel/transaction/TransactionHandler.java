package io.peeklock.kernel.transaction;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.kernel.settle.LockCheck;
import io.peeklock.kernel.settle.PropertyChange;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * Enlists locks in a transaction, and releases them when it is rolled back. Its sends and
 * settlements stay with the requester until the commit, so a transaction that is not committed
 * leaves no trace in the log (S-380, I-28).
 */
public final class TransactionHandler {

  private TransactionHandler() {}

  /** Enlists the locks if all are held; otherwise refuses those that are not, and enlists none. */
  public static Decision decide(MachineState state, Stamp stamp, TransactionRequest.Enlist enlist) {
    Request.Settle settle = enlist.settle();
    QueueState queue = state.queue(settle.queue());
    if (queue == null) {
      return Refusals.whole(
          settle.origin(), stamp, settle.ticket(), 0, new Refusal.EntityNotFound());
    }
    LockCheck held = LockCheck.of(state, queue, stamp, settle);
    if (settle.settlement() == Settlement.DEAD_LETTER && queue.isDeadLetterQueue()) { // S-185
      held = held.refusingAll(new Refusal.AlreadyDeadLettered(), settle.count());
    }
    @Nullable Refusal @Nullable [] refusals = held.refusals();
    DecisionBuilder draft = new DecisionBuilder();
    if (refusals == null) {
      draft.add(new Grant.Enlisted(queue.id(), held.ids(), enlist.transaction()));
    }
    if (settle.ticket() != null) {
      long overlayId = refusals == null ? overlayOf(state, queue, settle, held) : 0;
      draft.add(
          new Effect.Enlisted(
              settle.origin(), stamp.index(), settle.ticket(), refusals, overlayId));
    }
    return draft.build();
  }

  /** The body id of earlier changes that the settlement's must contain; 0 for none. */
  private static long overlayOf(
      MachineState state, QueueState queue, Request.Settle settle, LockCheck held) {
    PropertyChange change = PropertyChange.of(state, queue, settle, held);
    return change.needs();
  }

  /** Releases the locks of a transaction; an unknown one has none. */
  public static Decision decide(Stamp stamp, TransactionRequest.Rollback rollback) {
    DecisionBuilder draft =
        new DecisionBuilder().add(new Grant.TransactionOver(rollback.transaction()));
    Refusal reason = rollback.reason();
    if (rollback.ticket() != null) {
      draft.add(
          reason == null
              ? new Effect.TransactionEnded(rollback.origin(), stamp.index(), rollback.ticket())
              : new Effect.Refused(rollback.origin(), stamp.index(), rollback.ticket(), reason));
    }
    return draft.build();
  }
}

package io.peeklock.kernel.administration;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueReceiver;
import io.peeklock.kernel.state.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * Notes the use of entities, so that they are not idle (S-308 to S-310): every request, granted or
 * not, and every delivery; for a queue or topic also messages forwarded to it. Copies that a topic
 * puts into a subscription do not count. Noted once per entity and millisecond.
 */
public final class UsageTracker {

  private UsageTracker() {}

  /** A decision about a request, with the entities that it uses. */
  public static Decision noted(
      MachineState state, Stamp stamp, Request request, Decision decision) {
    return switch (request) { // no default: a new request must be handled to compile
      case Request.Send send -> sent(state, stamp, send, decision);
      case TransactionRequest.Commit commit -> committed(state, stamp, commit, decision);
      case EntityRequest.UpdateQueue update ->
          used(state.queue(update.definition().path()), stamp, decision, false);
      case Request.OnQueue asked -> used(state, asked.queue(), stamp, decision);
      case Request.Flow flow -> received(state, flow.origin(), stamp, decision);
      case Request.Transferred sent -> received(state, sent.origin(), stamp, decision);
      case Request.Undelivered back -> received(state, back.origin(), stamp, decision);
      case Request.CloseReceiver close -> received(state, close.origin(), stamp, decision);
      case Request.CreateQueue ignored -> decision;
      case EntityRequest.DeleteQueue ignored -> decision;
      case EntityRequest.EmptyNamespace ignored -> decision;
      case EntityRequest.CountMessages ignored -> decision;
      case TransactionRequest.Rollback ignored -> decision;
    };
  }

  /** A commit uses the entities of its sends; the rest was noted when it was enlisted. */
  private static Decision committed(
      MachineState state, Stamp stamp, TransactionRequest.Commit commit, Decision decision) {
    Decision noted = decision;
    for (Request.Send send : commit.sends()) {
      noted = sent(state, stamp, send, noted);
    }
    return noted;
  }

  private static Decision sent(
      MachineState state, Stamp stamp, Request.Send send, Decision decision) {
    Decision noted = used(state, send.queue(), stamp, decision);
    return send.via() == null ? noted : used(state, send.via(), stamp, noted);
  }

  /** A decision that delivers, with the use of its queue. */
  public static Decision delivered(QueueState queue, Stamp stamp, Decision decision) {
    return decision.effects().isEmpty() ? decision : used(queue, stamp, decision, true);
  }

  /** A decision that forwards, with the use of the destination. */
  public static Decision forwarded(MachineState state, Stamp stamp, Decision decision) {
    Decision noted = decision;
    for (Fact fact : decision.facts()) {
      if (fact instanceof ForwardFact.Forwarded moved) {
        noted = used(state, moved.destination(), stamp, noted);
      } else if (fact instanceof ForwardFact.ForwardPublished moved) {
        noted = used(state, moved.topic(), stamp, noted);
      } else if (fact instanceof ForwardFact.PartPublished part) {
        noted = used(state, part.topic(), stamp, noted);
      }
    }
    return noted;
  }

  private static Decision received(
      MachineState state, Origin origin, Stamp stamp, Decision decision) {
    QueueReceiver receiver = state.receiver(origin);
    QueueState queue = receiver == null ? state.queueOfAcceptor(origin) : receiver.queue;
    return used(queue, stamp, decision, true);
  }

  private static Decision used(MachineState state, QueueId id, Stamp stamp, Decision decision) {
    return used(state.queue(id), stamp, decision, true);
  }

  private static Decision used(
      @Nullable QueueState queue, Stamp stamp, Decision decision, boolean isAccess) {
    return queue == null
            || queue.isDeleted() // its receivers are still being closed
            || queue.isUseKnown(stamp, isAccess)
            || decision.needs().length > 0 // the caller asks again
        ? decision
        : decision.and(new Grant.Used(queue.id(), stamp, isAccess));
  }
}

package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.EntityFact;
import io.peeklock.kernel.EntityRequest;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueRole;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Stamp;
import org.jspecify.annotations.Nullable;

/** Gives an entity other properties, except those that are fixed at creation (S-067). */
final class UpdateQueueHandler {

  private UpdateQueueHandler() {}

  static Decision decide(MachineState state, Stamp stamp, EntityRequest.UpdateQueue update) {
    QueueDefinition wanted = update.definition();
    QueueState queue = state.queue(wanted.path());
    if (queue == null) {
      return refused(stamp, update, new Refusal.EntityNotFound());
    }
    QueueDefinition is = queue.definition();
    String fixed = fixed(is, wanted);
    if (fixed != null) {
      return refused(stamp, update, new Refusal.PropertyFixed(fixed));
    }
    QueueDefinition next = wanted.with().path(is.path()).role(role(is, wanted)).done();
    String lost = CreateQueueHandler.missingDestination(state, next);
    if (lost != null) {
      return refused(stamp, update, new Refusal.ForwardDestinationNotFound(lost));
    }
    Draft draft = new Draft();
    draft.add(new EntityFact.QueueUpdated(queue.id(), next, stamp.nowMillis()));
    sendAway(state, queue, next, next.forwardTo(), stamp, draft);
    sendAway(state, queue.deadLetters(), next, next.forwardDeadLettersTo(), stamp, draft);
    return draft
        .add(new Effect.QueueChanged(update.origin(), stamp.index(), update.ticket()))
        .done();
  }

  /** Who receives now and could not begin to afterwards (S-427, S-289). */
  private static void sendAway(
      MachineState state,
      QueueState queue,
      QueueDefinition next,
      @Nullable String destination,
      Stamp stamp,
      Draft draft) {
    Refusal reason = destination == null ? null : new Refusal.MessagesAreForwarded(destination);
    if (!next.status().letsReceive()) {
      reason = new Refusal.EntityDisabled();
    }
    if (reason != null) {
      ReceiverEnding.sendAway(state, queue, stamp, reason, draft);
    }
  }

  private static Decision refused(Stamp stamp, EntityRequest.UpdateQueue update, Refusal refusal) {
    return Refusals.whole(update.origin(), stamp, update.ticket(), 0, refusal);
  }

  /** The first property that would change and must not; null for none. */
  private static @Nullable String fixed(QueueDefinition is, QueueDefinition wanted) {
    if (!isOfOneKind(is.role(), wanted.role())) {
      return "its kind";
    }
    if (is.requiresSession() != wanted.requiresSession()) {
      return "RequiresSession";
    }
    if ((is.duplicateWindowMillis() == 0) != (wanted.duplicateWindowMillis() == 0)) {
      return "RequiresDuplicateDetection";
    }
    return is.partitioned() == wanted.partitioned() ? null : "EnablePartitioning";
  }

  private static boolean isOfOneKind(QueueRole is, QueueRole wanted) {
    return (is instanceof QueueRole.Subscription one
            && wanted instanceof QueueRole.Subscription other)
        ? one.topicPath().equalsIgnoreCase(other.topicPath())
        : is.getClass() == wanted.getClass();
  }

  /** As wanted, with the topic named as it was. */
  private static QueueRole role(QueueDefinition is, QueueDefinition wanted) {
    return is.role() instanceof QueueRole.Subscription one
            && wanted.role() instanceof QueueRole.Subscription other
        ? new QueueRole.Subscription(one.topicPath(), other.deadLetteringOnFilterErrors())
        : wanted.role();
  }
}

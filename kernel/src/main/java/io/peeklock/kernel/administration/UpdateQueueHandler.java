package io.peeklock.kernel.administration;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.deliver.ReceiverEnding;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import org.jspecify.annotations.Nullable;

/** Changes the properties of an entity, except those that are fixed at creation (S-067). */
public final class UpdateQueueHandler {

  private UpdateQueueHandler() {}

  /**
   * Decides the request. Refused when the entity does not exist, a fixed property would change, or
   * a destination to forward to does not exist (S-286).
   */
  public static Decision decide(MachineState state, Stamp stamp, EntityRequest.UpdateQueue update) {
    QueueDefinition wanted = update.definition();
    QueueState queue = state.queue(wanted.path());
    if (queue == null) {
      return refused(stamp, update, new Refusal.EntityNotFound());
    }
    QueueDefinition is = queue.definition();
    String fixed = EntityProperties.fixedThatDiffers(is, wanted);
    if (fixed != null) {
      return refused(stamp, update, new Refusal.PropertyFixed(fixed));
    }
    QueueDefinition next = wanted.with().path(is.path()).role(role(is, wanted)).build();
    String lost = CreateQueueHandler.missingDestination(state, next);
    if (lost != null) {
      return refused(stamp, update, new Refusal.ForwardDestinationNotFound(lost));
    }
    DecisionBuilder draft = new DecisionBuilder();
    draft.add(
        new EntityFact.QueueUpdated(queue.id(), next, queue.nextChangeMillis(stamp.nowMillis())));
    sendAway(state, queue, next, next.forwardTo(), stamp, draft);
    sendAway(state, queue.deadLetters(), next, next.forwardDeadLettersTo(), stamp, draft);
    return draft
        .add(new Effect.QueueChanged(update.origin(), stamp.index(), update.ticket()))
        .build();
  }

  /** Closes receivers that could not open after the update (S-427, S-289). */
  private static void sendAway(
      MachineState state,
      QueueState queue,
      QueueDefinition next,
      @Nullable String destination,
      Stamp stamp,
      DecisionBuilder draft) {
    Refusal reason = destination == null ? null : new Refusal.MessagesAreForwarded(destination);
    if (!next.status().letsReceive()) {
      reason = new Refusal.EntityDisabled();
    }
    if (reason != null) {
      new ReceiverEnding(state, stamp, reason, draft).endAll(queue, true).done();
    }
  }

  private static Decision refused(Stamp stamp, EntityRequest.UpdateQueue update, Refusal refusal) {
    return Refusals.whole(update.origin(), stamp, update.ticket(), 0, refusal);
  }

  /** The wanted role, with the case that the topic's path has. */
  private static QueueRole role(QueueDefinition is, QueueDefinition wanted) {
    return is.role() instanceof QueueRole.Subscription one
            && wanted.role() instanceof QueueRole.Subscription other
        ? new QueueRole.Subscription(one.topicPath(), other.deadLetteringOnFilterErrors())
        : wanted.role();
  }
}

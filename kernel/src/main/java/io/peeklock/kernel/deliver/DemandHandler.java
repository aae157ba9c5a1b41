package io.peeklock.kernel.deliver;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.session.SessionEnding;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueReceiver;
import io.peeklock.kernel.state.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * Opens receivers, sets their demand and closes them. These requests have no answer, and those
 * about an unknown receiver, whose link ended meanwhile, are ignored.
 */
public final class DemandHandler {

  private DemandHandler() {}

  /**
   * Opens a receiver; one that exists already stays as it is. A receiver that is refused gets
   * {@link Effect.ReceiverEnded}.
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.OpenReceiver open) {
    if (state.receiver(open.origin()) != null) {
      return Decision.NOTHING;
    }
    Refusal refusal = refusal(state.queue(open.queue()));
    if (refusal != null) {
      return Decision.telling(new Effect.ReceiverEnded(open.origin(), stamp.index(), refusal));
    }
    return Decision.granting(new Grant.ReceiverOpened(open.origin(), open.queue(), open.mode()));
  }

  /** Why nobody can receive from a queue; null when receiving is allowed. */
  static @Nullable Refusal refusal(@Nullable QueueState queue) {
    if (queue == null) {
      return new Refusal.EntityNotFound();
    }
    String destination = queue.forwardPath();
    if (destination != null) { // S-289
      return new Refusal.MessagesAreForwarded(destination);
    }
    return queue.definition().status().letsReceive() ? null : new Refusal.EntityDisabled();
  }

  /** Sets a receiver's demand (S-086, S-087). */
  public static Decision decide(MachineState state, Request.Flow flow) {
    return state.receiver(flow.origin()) == null
        ? Decision.NOTHING
        : Decision.granting(new Grant.DemandSet(flow.origin(), flow.deliveryLimit(), flow.drain()));
  }

  /** Returns the bytes of deliveries that left to a receiver's budget. */
  public static Decision decide(MachineState state, Request.Transferred transferred) {
    return state.receiver(transferred.origin()) == null
        ? Decision.NOTHING
        : Decision.granting(new Grant.DemandReturned(transferred.origin(), 0, transferred.bytes()));
  }

  /**
   * Closes a receiver. Its demand ends; its message locks stay until they lapse (R-01, S-113). A
   * session is given back at once, with all of its messages and without a failed attempt (S-248).
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.CloseReceiver close) {
    QueueState waitsAt = state.queueOfAcceptor(close.origin());
    if (waitsAt != null) {
      return Decision.granting(new Grant.AcceptorLeft(close.origin(), waitsAt.id()));
    }
    QueueReceiver receiver = state.receiver(close.origin());
    if (receiver == null) {
      return Decision.NOTHING;
    }
    DecisionBuilder draft = new DecisionBuilder();
    if (receiver.session != null && !receiver.queue.isDeleted()) {
      SessionEnding.letGo(
          state, receiver.queue, receiver.session, stamp, false, SessionEnding.SLICE, draft);
    }
    return draft.add(new Grant.ReceiverClosed(close.origin())).build();
  }
}

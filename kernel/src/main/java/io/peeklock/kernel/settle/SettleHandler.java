package io.peeklock.kernel.settle;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FairShare;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * Settles locks as their holder asks, and refuses locks that are not held (S-031, S-037, S-038).
 * Each settlement has its own handler.
 */
public final class SettleHandler {

  private SettleHandler() {}

  /**
   * Decides the request. Refused as a whole when the queue does not exist, or, when atomic, with
   * the first refusal of a lock. Needs earlier changed properties when the new ones do not
   * contain them.
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.Settle settle) {
    QueueState queue = state.queue(settle.queue());
    if (queue == null) {
      return refused(stamp, settle, new Refusal.EntityNotFound());
    }
    LockCheck held = LockCheck.of(state, queue, stamp, settle);
    if (settle.settlement() == Settlement.DEAD_LETTER && queue.isDeadLetterQueue()) { // S-185
      held = held.refusingAll(new Refusal.AlreadyDeadLettered(), settle.count());
    }
    Refusal overShare = overShare(state, queue, settle);
    if (overShare != null && Refusals.first(held.refusals()) == null) {
      held = held.refusingAll(overShare, settle.count());
    }
    Refusal first = Refusals.first(held.refusals());
    if (settle.atomic() && first != null) { // several tokens and one bad
      return refused(stamp, settle, first);
    }
    PropertyChange change = PropertyChange.of(state, queue, settle, held);
    if (change.needs() != 0) {
      return Decision.needing(change.needs());
    }
    DecisionBuilder draft = new DecisionBuilder();
    if (held.count() > 0) {
      settle(settle.settlement(), new SettleContext(queue, stamp, held, change, draft));
    }
    if (settle.overlay() != null && !change.isStored()) {
      draft.keepBodies(new boolean[1]);
    }
    answer(draft, stamp, settle, held);
    return draft.build();
  }

  private static void answer(
      DecisionBuilder draft, Stamp stamp, Request.Settle settle, LockCheck held) {
    if (settle.ticket() != null) {
      draft.add(
          new Effect.SettleAnswered(
              settle.origin(),
              stamp.index(),
              settle.ticket(),
              settle.settlement(),
              held.refusals()));
    }
  }

  /**
   * Why the changed properties of a message may not be stored; null when they may, or the message
   * does not stay.
   */
  public static @Nullable Refusal overShare(
      MachineState state, QueueState queue, Request.Settle settle) {
    boolean stays = settle.settlement() != Settlement.COMPLETE;
    return stays && settle.overlay() != null
        ? FairShare.ofGrowth(state, queue, queue.held.overlayHeap(), queue.held.overlayBytes())
        : null;
  }

  /** Adds to the draft what a settlement does with the held locks. */
  public static void settle(Settlement settlement, SettleContext settling) {
    if (settling.change().outgrowsHeader()) {
      outgrow(settling, settlement != Settlement.DEAD_LETTER);
      return;
    }
    switch (settlement) {
      case COMPLETE -> CompleteHandler.decide(settling);
      case ABANDON -> AbandonHandler.decide(settling);
      case DEFER -> DeferHandler.decide(settling);
      case DEAD_LETTER -> DeadLetterHandler.decide(settling);
      case RELEASE -> ReleaseHandler.decide(settling);
    }
  }

  /** R-30, S-075: the settlement is done, and the broker moves the message. */
  private static void outgrow(SettleContext settling, boolean counted) {
    QueueState queue = settling.queue();
    settling
        .draft()
        .add(
            new Fact.DeadLettered(
                queue.id(),
                queue.deadLetters().id(),
                settling.held().numbers(),
                DeadLetterCause.HEADER_SIZE_EXCEEDED,
                counted,
                null))
        .add(new Grant.Unlocked(queue.id(), settling.held().ids(), false));
  }

  private static Decision refused(Stamp stamp, Request.Settle settle, Refusal refusal) {
    int bodies = settle.overlay() == null ? 0 : 1;
    return Refusals.whole(settle.origin(), stamp, settle.ticket(), bodies, refusal);
  }
}

package io.peeklock.kernel.settle;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * Release: the message goes back to its old place as if it had not been delivered (S-092, S-114,
 * S-028). Nothing is logged, unless the message expires.
 */
public final class ReleaseHandler {

  private ReleaseHandler() {}

  /** Adds the release of the held locks to the draft. */
  public static void decide(SettleContext settling) {
    release(settling.queue(), settling.stamp(), settling.held(), settling.draft());
  }

  /**
   * Releases deliveries that never reached their receiver; unknown locks and receivers are ignored.
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.Undelivered undelivered) {
    DecisionBuilder draft = new DecisionBuilder();
    QueueState queue = queueOf(state, undelivered);
    if (queue != null) {
      LockCheck held =
          LockCheck.of(state.locks, queue, stamp, undelivered.lockIds(), undelivered.count());
      release(queue, stamp, held, draft);
    }
    if (state.receiver(undelivered.origin()) != null) {
      draft.add(
          new Grant.DemandReturned(undelivered.origin(), undelivered.count(), undelivered.bytes()));
    }
    return draft.build();
  }

  /** The queue of the first lock that is still there: a receiver is on one queue only. */
  private static @Nullable QueueState queueOf(MachineState state, Request.Undelivered undelivered) {
    for (int i = 0; i < undelivered.count(); i++) {
      QueueState queue = state.queueOfLock(undelivered.lockIds()[i]);
      if (queue != null) {
        return queue;
      }
    }
    return null;
  }

  private static void release(
      QueueState queue, Stamp stamp, LockCheck held, DecisionBuilder draft) {
    UnlockRules endings = new UnlockRules(queue, stamp, false, true).addAll(held);
    endings.leave(draft, PropertyChange.none());
    if (endings.anyStays()) {
      draft.add(new Grant.Unlocked(queue.id(), endings.stayingLocks(), true));
    }
  }
}

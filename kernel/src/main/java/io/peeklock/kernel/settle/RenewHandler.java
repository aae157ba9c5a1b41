package io.peeklock.kernel.settle;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;

/**
 * Extends locks to now plus the lock duration, all or none (S-026, S-105, S-107, I-19). Any holder
 * of the token may renew, also after the message expired (S-109, S-171); nothing is counted or
 * logged (S-108).
 */
public final class RenewHandler {

  private RenewHandler() {}

  /**
   * Decides the request. Refused when the queue does not exist, any lock is not held (S-106), or
   * the queue has sessions (S-245).
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.Renew renew) {
    QueueState queue = state.queue(renew.queue());
    if (queue == null) {
      return refused(stamp, renew, new Refusal.EntityNotFound());
    }
    if (queue.sessions() != null) { // S-245: a message of a session has no lock time of its own
      return refused(stamp, renew, new Refusal.SessionLockLost());
    }
    for (long lockId : renew.lockIds()) {
      if (!state.locks.isHeld(lockId, queue.id(), stamp.monotonicMillis())) {
        return refused(stamp, renew, new Refusal.MessageLockLost()); // S-106
      }
    }
    long duration = queue.definition().lockDurationMillis();
    return new DecisionBuilder()
        .add(new Grant.Extended(renew.lockIds().clone(), stamp.monotonicMillis() + duration))
        .add(
            new Effect.Renewed(
                renew.origin(), stamp.index(), renew.ticket(), stamp.wallMillis() + duration))
        .build();
  }

  private static Decision refused(Stamp stamp, Request.Renew renew, Refusal refusal) {
    return Refusals.whole(renew.origin(), stamp, renew.ticket(), 0, refusal);
  }
}

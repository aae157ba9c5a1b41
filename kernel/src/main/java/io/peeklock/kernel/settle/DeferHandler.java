package io.peeklock.kernel.settle;

import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;

/**
 * Defer: the message is set aside, to be received by number (S-036, S-206). It counts as a failed
 * attempt (S-123) unless it is a dead letter (S-132); the last one dead-letters (S-124). An expired
 * message may be deferred.
 */
final class DeferHandler {

  private DeferHandler() {}

  static void decide(SettleContext settling) {
    UnlockRules endings =
        new UnlockRules(settling.queue(), settling.stamp(), true, false).addAll(settling.held());
    endings.leave(settling.draft(), settling.change());
    if (endings.anyStays()) {
      settling
          .draft()
          .add(
              new Fact.Deferred(
                  settling.queue().id(), endings.staying(), settling.change().store()))
          .add(new Grant.Unlocked(settling.queue().id(), endings.stayingLocks(), false));
    }
  }
}

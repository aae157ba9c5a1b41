package io.peeklock.kernel.settle;

import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;

/**
 * Abandon: the message is available again at its old place (S-028), with one more failed attempt
 * (S-032, S-120) unless it is a dead letter (S-132); one received by number is deferred again
 * (S-212).
 */
final class AbandonHandler {

  private AbandonHandler() {}

  static void decide(SettleContext settling) {
    UnlockRules endings =
        new UnlockRules(settling.queue(), settling.stamp(), true, true).addAll(settling.held());
    endings.leave(settling.draft(), settling.change());
    if (endings.anyStays()) {
      settling
          .draft()
          .add(
              new Fact.Abandoned(
                  settling.queue().id(), endings.staying(), settling.change().store()))
          .add(new Grant.Unlocked(settling.queue().id(), endings.stayingLocks(), true));
    }
  }
}

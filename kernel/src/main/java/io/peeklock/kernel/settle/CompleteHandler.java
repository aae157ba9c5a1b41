package io.peeklock.kernel.settle;

import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;

/**
 * Complete: the message is done and gone for good (S-030, I-05), also when it expired under its
 * lock (S-169).
 */
final class CompleteHandler {

  private CompleteHandler() {}

  static void decide(SettleContext settling) {
    settling
        .draft()
        .add(new Fact.Completed(settling.queue().id(), settling.held().numbers()))
        .add(new Grant.Unlocked(settling.queue().id(), settling.held().ids(), false));
  }
}

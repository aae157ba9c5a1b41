package io.peeklock.kernel.settle;

import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.state.QueueState;

/**
 * Dead-letter: the receiver gives the message up, with reasons in its changed properties (S-034).
 * This is no failed attempt, and works on an expired message.
 */
final class DeadLetterHandler {

  private DeadLetterHandler() {}

  static void decide(SettleContext settling) {
    QueueState queue = settling.queue();
    settling
        .draft()
        .add(
            new Fact.DeadLettered(
                queue.id(),
                queue.deadLetters().id(),
                settling.held().numbers(),
                DeadLetterCause.RECEIVER,
                false,
                settling.change().store()))
        .add(new Grant.Unlocked(queue.id(), settling.held().ids(), false));
  }
}

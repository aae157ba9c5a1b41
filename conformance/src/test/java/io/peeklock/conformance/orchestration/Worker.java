package io.peeklock.conformance.orchestration;

import io.peeklock.conformance.orchestration.Conversation.Delivery;
import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;
import java.util.Random;

/**
 * Does pieces of work: answers the orchestration and completes what it was asked, in one
 * transaction. Every tenth is rolled back and tried again.
 */
final class Worker implements Stage.Part {
  private static final long FROM_WORK = 1;
  private static final long TO_STEPS = 2;
  private static final int ONE_IN = 10;

  private final Stage stage;
  private final Random chance;

  Worker(Stage stage, long seed) {
    this.stage = stage;
    this.chance = new Random(seed);
  }

  @Override
  public void on(Conversation conversation) throws IOException {
    conversation.sender(TO_STEPS, Stage.STEPS);
    var work = conversation.receiver(FROM_WORK, RawLinks.receiver(FROM_WORK, Stage.WORK));
    while (!stage.over()) {
      var delivery = conversation.next(work);
      if (delivery == null) {
        Pause.shortly();
        continue;
      }
      var rollsBack = chance.nextInt(ONE_IN) == 0;
      if (rollsBack) {
        work(conversation, delivery, true);
        stage.rolledBack.incrementAndGet();
      }
      work(conversation, delivery, false);
    }
  }

  private static void work(Conversation conversation, Delivery delivery, boolean rollsBack)
      throws IOException {
    var transaction = conversation.declare();
    var answer = Step.parse(delivery.message()).message();
    conversation.send(TO_STEPS, false, answer, transaction);
    conversation.complete(delivery, transaction);
    if (!conversation.discharge(transaction, rollsBack)) {
      throw new IOException("a transaction was refused"); // the lock ended meanwhile
    }
  }
}

package io.peeklock.server.metrics;

import io.peeklock.kernel.Effect;
import io.peeklock.kernel.EntityCounts;
import io.peeklock.kernel.EntityRequest;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.Submission;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks the shard once what entities hold. */
final class EntityQuestion extends Endpoint implements Ticket {
  private final CompletableFuture<Answer> answer = new CompletableFuture<>();

  /**
   * What they hold, in the order asked for.
   *
   * @param counts null for each that is no more
   */
  record Answer(List<@Nullable EntityCounts> counts) {}

  private EntityQuestion() {}

  /**
   * Asks.
   *
   * @return completes on the shard's home
   */
  static CompletableFuture<Answer> ask(Broker broker, List<QueueId> queues) {
    var question = new EntityQuestion();
    broker.submit(
        Submission.of(new EntityRequest.CountMessages(question, question, List.copyOf(queues))));
    return question.answer;
  }

  @Override
  public void tell(Effect effect, @Nullable Bodies bodies) {
    if (effect instanceof Effect.MessagesCounted counted) {
      answer.complete(new Answer(counted.counts()));
    }
  }

  @Override
  public void flush() {} // what waits for the answer was told already

  @Override
  public void resume() {} // asks once

  @Override
  public void unreadable(String reason) {
    throw new IllegalStateException("counts come without bodies: " + reason);
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }
}

package io.peeklock.runtime;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks the shard what entities hold, so many at a time that messages do not wait long for it: each
 * answer is exact for its moment, and those of one question may be of several.
 */
public final class EntityCounting extends Endpoint implements Ticket {
  /** As many as take the shard well under a millisecond. */
  static final int AT_A_TIME = 1_000;

  private final Broker broker;
  private final List<QueueId> queues;
  private final List<@Nullable EntityCounts> counts = new ArrayList<>(); // the shard thread's
  private final CompletableFuture<List<@Nullable EntityCounts>> answer = new CompletableFuture<>();

  private @Nullable Refusal refusal; // the shard thread's

  private EntityCounting(Broker broker, List<QueueId> queues) {
    this.broker = broker;
    this.queues = List.copyOf(queues);
  }

  /**
   * Asks.
   *
   * @return in the order asked for, null for each that is no more; completes on the shard's thread;
   *     fails with an {@link IllegalStateException} where the shard refuses to count
   */
  @AnyThread
  public static CompletableFuture<List<@Nullable EntityCounts>> of(
      Broker broker, List<QueueId> queues) {
    var counting = new EntityCounting(broker, queues);
    counting.askFrom(0);
    return counting.answer;
  }

  private void askFrom(int first) {
    var some = queues.subList(first, Math.min(first + AT_A_TIME, queues.size()));
    broker.submit(Submission.of(new EntityRequest.CountMessages(this, this, some)));
  }

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    if (effect instanceof Effect.MessagesCounted counted) {
      counts.addAll(counted.counts());
    } else if (effect instanceof Effect.Refused refused) {
      refusal = refused.refusal();
    }
  }

  @Override
  public void flush() {
    if (refusal != null) {
      answer.completeExceptionally(new IllegalStateException("not counted: " + refusal));
    } else if (counts.size() < queues.size()) {
      askFrom(counts.size());
    } else {
      answer.complete(counts);
    }
  }

  @Override
  public void resume() {} // asks for the next only when it was answered

  @Override
  public void unreadable(String reason) {
    throw new IllegalStateException("counts come without bodies: " + reason);
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }
}

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
 * Counts the contents of entities, in requests small enough that messages do not wait long for
 * them. The counts of one request are exact for one moment; a large question has several requests.
 */
public final class EntityCounting extends Endpoint implements Ticket {
  /** The entities of one request, which takes the shard well under a millisecond. */
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

  /** The shard did not count; the question may be asked again where its refusal says so. */
  public static final class NotCounted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    NotCounted(Refusal refusal) {
      super("not counted: " + refusal, null, false, false);
      this.refusal = refusal;
    }

    /** Why. */
    public Refusal refusal() {
      return refusal;
    }
  }

  /**
   * Asks.
   *
   * @return the counts in the order of {@code queues}, null for an entity that no longer exists;
   *     completes on the shard's thread, with {@link NotCounted} when the shard refuses
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
      answer.completeExceptionally(new NotCounted(refusal));
    } else if (counts.size() < queues.size()) {
      askFrom(counts.size());
    } else {
      answer.complete(counts);
    }
  }

  @Override
  public void resume() {} // never asks ahead

  @Override
  public void unreadable(String reason) {
    throw new IllegalStateException("counts come without bodies: " + reason);
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }
}

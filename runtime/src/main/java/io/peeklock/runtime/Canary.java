package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Proves that the shard can make something durable now: a batch without facts goes the way of every
 * other one, through a step, the log, a sync and the gate. It leaves no message. A request that
 * comes while one is on its way waits for the next, so that no answer is older than its question.
 */
@ShardThread
final class Canary {
  private List<CompletableFuture<Void>> asked = new ArrayList<>();
  private @Nullable Throwable ended;
  private final ArrayDeque<Flight> flying = new ArrayDeque<>();

  /** The requests that wait for a batch to be durable. */
  private record Flight(long index, List<CompletableFuture<Void>> asked) {}

  /** As {@link Shard#prove}. */
  @AnyThread
  CompletableFuture<Void> ask(ShardExecutor shardExecutor, Runnable wantStep) {
    var answer = new CompletableFuture<Void>();
    shardExecutor.execute(
        () -> {
          var end = ended;
          if (end != null) {
            answer.completeExceptionally(end);
          } else {
            asked.add(answer);
            wantStep.run();
          }
        });
    return answer;
  }

  /** Whether a batch is wanted although nothing happened. */
  boolean wantsBatch() {
    return !asked.isEmpty();
  }

  /** Notes a batch that was appended to the journal. */
  void appended(long index) {
    if (!asked.isEmpty()) {
      flying.add(new Flight(index, asked));
      asked = new ArrayList<>();
    }
  }

  /** Notes that the gate is open up to this index. */
  void durable(long index) {
    for (var first = flying.peek();
        first != null && first.index() <= index;
        first = flying.peek()) {
      flying.remove().asked().forEach(answer -> answer.complete(null));
    }
  }

  /** Fails all waiting and all future requests, as nothing becomes durable any more. */
  void end(Throwable cause) {
    ended = cause;
    giveUp(cause);
  }

  /** Fails all waiting requests, as their batches are lost. */
  void giveUp(Throwable cause) {
    for (var flight : flying) {
      asked.addAll(flight.asked());
    }
    flying.clear();
    var all = asked;
    asked = new ArrayList<>();
    all.forEach(answer -> answer.completeExceptionally(cause));
  }
}

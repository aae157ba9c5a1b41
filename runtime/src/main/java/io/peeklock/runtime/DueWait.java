package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Requests that wait until all that the clock made due is done, durable and told. */
@ShardThread
final class DueWait {
  private final List<CompletableFuture<Void>> asked = new ArrayList<>();
  private boolean nothingDue;

  /** As {@link Shard#catchUp}. */
  @AnyThread
  CompletableFuture<Void> ask(ShardExecutor shardExecutor, Runnable look) {
    var answer = new CompletableFuture<Void>();
    shardExecutor.execute(
        () -> {
          asked.add(answer);
          nothingDue = false; // the last drain may have had an earlier time
          look.run();
        });
    return answer;
  }

  /** Whether somebody waits. */
  boolean isAsked() {
    return !asked.isEmpty();
  }

  /** A drain is over. */
  void drained(boolean isNothingDue) {
    nothingDue = isNothingDue;
  }

  /** All that was decided is durable and told. */
  void quiet() {
    if (nothingDue && !asked.isEmpty()) {
      var done = List.copyOf(asked);
      asked.clear();
      done.forEach(each -> each.complete(null));
    }
  }

  /** The shard does nothing more. */
  void end(Throwable cause) {
    var left = List.copyOf(asked);
    asked.clear();
    left.forEach(each -> each.completeExceptionally(cause));
  }
}

package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request that waits until everything is decided, durable and delivered; one at a time. */
@ShardThread
final class IdleWait {
  private @Nullable CompletableFuture<Void> asked;

  /** As {@link Shard#quiesce}. */
  @AnyThread
  CompletableFuture<Void> ask(ShardExecutor shardExecutor, Runnable look) {
    var answer = new CompletableFuture<Void>();
    shardExecutor.execute(
        () -> {
          asked = answer;
          look.run();
        });
    return answer;
  }

  /** Completes the wait. */
  void complete() {
    var waiting = asked;
    asked = null;
    if (waiting != null) {
      waiting.complete(null);
    }
  }
}

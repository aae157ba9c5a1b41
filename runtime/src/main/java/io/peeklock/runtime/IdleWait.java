package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Who waits for everything to be decided, durable and told; one at a time. */
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

  /** It is so. */
  void complete() {
    var waiting = asked;
    asked = null;
    if (waiting != null) {
      waiting.complete(null);
    }
  }
}

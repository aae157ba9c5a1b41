package io.peeklock.server;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.Submission;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks the shard to delete all entities with what is in them, and waits for its answer. */
final class NamespaceEmptying extends Endpoint implements Ticket {
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  private NamespaceEmptying() {}

  /** Asks; completes on the shard's thread, when all of them are durably gone. */
  static CompletableFuture<Void> of(Broker broker) {
    var emptying = new NamespaceEmptying();
    broker.submit(Submission.of(new EntityRequest.EmptyNamespace(emptying, emptying, false)));
    return emptying.done;
  }

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    if (effect instanceof Effect.Refused refused) {
      done.completeExceptionally(
          new IllegalStateException("the namespace was not emptied: " + refused.refusal()));
    } else {
      done.complete(null);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void resume() {} // never asks ahead

  @Override
  public void unreadable(String reason) {
    throw new IllegalStateException("the answer comes without bodies: " + reason);
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }
}

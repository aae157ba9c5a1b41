package io.peeklock.http.admin;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Asks the shard on behalf of all calls, and hands each answer to who waits for it; what was
 * changed is durable by then, and shows in the catalogue. {@link #ask} may be called from any
 * thread; its future completes on the shard's thread.
 */
final class ShardClient extends Endpoint {
  private final Broker broker;
  private final Executor shardExecutor;
  private final List<Runnable> completions = new ArrayList<>(); // the shard thread's

  /** One question. */
  private record Note(CompletableFuture<Effect> answer) implements Ticket {}

  /** Makes the request for a ticket. */
  @FunctionalInterface
  interface Question {
    Request with(ShardClient origin, Ticket ticket);
  }

  /**
   * A client of one shard.
   *
   * @param shardExecutor the shard's thread
   */
  ShardClient(Broker broker, Executor shardExecutor) {
    this.broker = broker;
    this.shardExecutor = shardExecutor;
  }

  Broker broker() {
    return broker;
  }

  /** Asks; a refusal is an answer too. */
  CompletableFuture<Effect> ask(Question question) {
    var answer = new CompletableFuture<Effect>();
    broker.submit(Submission.of(question.with(this, new Note(answer))));
    return answer;
  }

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    var ticket =
        switch (effect) {
          case Effect.QueueReady ready -> ready.ticket();
          case Effect.QueueChanged changed -> changed.ticket();
          case Effect.RulesChanged changed -> changed.ticket();
          case Effect.RulesListed listed -> listed.ticket();
          case Effect.Refused refused -> refused.ticket();
          default -> null; // nobody here asks for anything else
        };
    if (ticket instanceof Note note) {
      completions.add(() -> note.answer().complete(effect));
    }
  }

  @Override
  public void flush() {
    completions.forEach(Runnable::run);
    completions.clear();
  }

  @Override
  public void resume() {
    // Nothing is read here that could go on.
  }

  @Override
  public void unreadable(String reason) {
    // No bodies are asked for.
  }

  @Override
  public void execute(Runnable task) {
    shardExecutor.execute(task);
  }
}

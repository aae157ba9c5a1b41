package io.peeklock.amqp.direct;

import io.peeklock.amqp.error.RefusalConditions;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.message.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request that the shard answers once: a send, a settlement, a renewal. */
final class SingleReply<T> extends DirectEndpoint {
  static final Ticket TICKET = new Asked();

  private final CompletableFuture<Answer<T>> answer;
  private final Function<Effect, T> granted;

  private record Asked() implements Ticket {}

  /**
   * One that waits.
   *
   * @param granted reads an answer that says yes
   */
  SingleReply(Place at, CompletableFuture<Answer<T>> answer, Function<Effect, T> granted) {
    super(at);
    this.answer = answer;
    this.granted = granted;
  }

  @Override
  void handle(Effect effect, @Nullable Bodies bodies) {
    if (bodies != null) {
      bodies.release();
    }
    var refusal =
        switch (effect) {
          case Effect.Refused refused -> refused.refusal();
          case Effect.SendAnswered sent -> RefusalConditions.first(sent.refusals());
          case Effect.SettleAnswered settled -> RefusalConditions.first(settled.refusals());
          default -> null;
        };
    answer.complete(answered(effect, refusal));
  }

  private Answer<T> answered(Effect effect, @Nullable Refusal refusal) {
    return refusal == null
        ? new Answer.Given<>(granted.apply(effect))
        : new Answer.Refused<>(refusal);
  }

  @Override
  void dropped(String sentence) {
    answer.complete(new Answer.Unfit<>(Answer.Misfit.BUSY, sentence));
  }

  @Override
  void bodyFailed(String reason) {
    answer.complete(
        new Answer.Unfit<>(Answer.Misfit.UNREADABLE, "A stored message cannot be read"));
  }
}

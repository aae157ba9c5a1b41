package io.peeklock.kernel.schedule;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Deletes scheduled messages before their time, all or none (S-153 to S-155, Q-9). */
public final class CancelHandler {

  private CancelHandler() {}

  /**
   * Decides the request. Refused when the queue does not exist, or any number is not scheduled
   * (S-154).
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.CancelScheduled cancel) {
    DecisionBuilder draft = new DecisionBuilder();
    Refusal refusal = cancel(state, cancel, draft);
    if (refusal != null) {
      return Refusals.whole(cancel.origin(), stamp, cancel.ticket(), 0, refusal);
    }
    return draft.add(new Effect.Cancelled(cancel.origin(), stamp.index(), cancel.ticket())).build();
  }

  /**
   * Answers as a cancellation would, and changes nothing, for a transaction that cancels at its
   * commit.
   */
  public static Decision decide(
      MachineState state, Stamp stamp, TransactionRequest.FindScheduled find) {
    Request.CancelScheduled later =
        new Request.CancelScheduled(
            find.origin(), find.ticket(), find.queue(), find.sequenceNumbers());
    Refusal refusal = cancel(state, later, new DecisionBuilder());
    return refusal == null
        ? Decision.telling(new Effect.Cancelled(find.origin(), stamp.index(), find.ticket()))
        : Refusals.whole(find.origin(), stamp, find.ticket(), 0, refusal);
  }

  /** Adds the fact of a cancellation to the draft, or returns why it is refused. */
  public static @Nullable Refusal cancel(
      MachineState state, Request.CancelScheduled cancel, DecisionBuilder draft) {
    QueueState queue = state.queue(cancel.queue());
    if (queue == null || queue.isDeadLetterQueue()) {
      return new Refusal.EntityNotFound();
    }
    long[] wanted = cancel.sequenceNumbers();
    LongList missing = new LongList();
    for (long number : wanted) {
      if (queue.scheduled().find(number) == Place.NONE) {
        missing.add(number);
      }
    }
    if (!missing.isEmpty()) {
      return new Refusal.ScheduledMessagesNotFound(missing.toArray());
    }
    if (wanted.length > 0) {
      draft.add(new Fact.Cancelled(queue.id(), distinct(wanted)));
    }
    return null;
  }

  private static long[] distinct(long[] numbers) {
    return Arrays.stream(numbers).sorted().distinct().toArray();
  }
}

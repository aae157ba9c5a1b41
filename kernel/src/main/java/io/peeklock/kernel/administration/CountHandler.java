package io.peeklock.kernel.administration;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.RuleTally;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what entities hold (S-489). */
public final class CountHandler {

  private CountHandler() {}

  /** Answers with the counts, null for an entity that does not exist; never refused. */
  public static Decision decide(
      MachineState state, Stamp stamp, EntityRequest.CountMessages count) {
    List<@Nullable EntityCounts> counts = new ArrayList<>();
    for (QueueId id : count.queues()) {
      QueueState queue = state.queue(id);
      counts.add(queue == null ? null : counts(queue));
    }
    return Decision.telling(
        new Effect.MessagesCounted(count.origin(), stamp.index(), count.ticket(), counts));
  }

  /** Deferred messages count as active (S-491), and so do locked ones (S-492). */
  private static EntityCounts counts(QueueState queue) {
    MessageIndex dead = queue.deadLetters().messages();
    RuleTally tally = queue.topic() == null ? null : queue.topic().rules().tally();
    return new EntityCounts(
        queue.messages().active() + queue.messages().deferred(),
        queue.messages().deferred(),
        queue.locks().count(),
        dead.active() + dead.deferred(),
        queue.scheduled().count(),
        waiting(queue.transfers),
        deadLetters(queue.transfers),
        queue.quotaBytes(),
        queue.accessedAtMillis(),
        tally == null ? 0 : tally.rules() - tally.correlationFilters(),
        tally == null ? 0 : tally.correlationFilters());
  }

  /** Messages that wait in transfer queues (S-306). */
  static long waiting(List<QueueState> transfers) {
    long waiting = 0;
    for (QueueState each : transfers) {
      waiting += each.messages().active() + each.scheduled().count();
    }
    return waiting;
  }

  /** Messages that could not be moved on (S-205). */
  private static long deadLetters(List<QueueState> transfers) {
    long lost = 0;
    for (QueueState each : transfers) {
      MessageIndex dead = each.deadLetters().messages();
      lost += dead.active() + dead.deferred();
    }
    return lost;
  }
}

package io.peeklock.kernel.administration;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.TickContext;
import io.peeklock.kernel.deliver.ReceiverEnding;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SubscriptionState;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes entities that were not used for their {@code AutoDeleteOnIdle} time (S-307), with all
 * contents (S-311). {@link UsageTracker} says which requests count as use; here continuous use
 * counts: scheduled messages that are not due yet (S-308), and receivers with credit (Q-15, I-34).
 *
 * <p>The time of last use is volatile: after a start, or on a new leader, idle time begins at 0. It
 * runs on the monotonic clock, which stops while the machine sleeps and is never set. So an entity
 * may be deleted too late, but never too early.
 */
public final class IdleHandler {

  private IdleHandler() {}

  /** How long until an entity may be idle long enough, in milliseconds from the stamp. */
  public static long nextTickMillis(MachineState state, Stamp stamp) {
    return TickContext.until(state.bounds.idles().first(), stamp.monotonicMillis());
  }

  /** Deletes at most one entity, a topic with its subscriptions. */
  public static Decision decide(MachineState state, Stamp stamp) {
    DecisionBuilder draft = new DecisionBuilder();
    List<QueueId> looked = new ArrayList<>();
    for (int number : state.bounds.idles().due(stamp.monotonicMillis(), TickContext.MAX_QUEUES)) {
      QueueState queue = state.known(new QueueId(number));
      looked.add(queue.id());
      if (queue.idleBound() > stamp.monotonicMillis()) {
        continue; // used since
      }
      if (queue.lastUse().isKnown() && !isInUse(queue)) {
        ReceiverEnding ending = DeleteQueueHandler.ending(state, stamp, draft);
        DeleteQueueHandler.delete(queue, ending, draft);
        ending.done();
        break;
      }
      draft.add(new Grant.Used(queue.id(), stamp, false));
    }
    return draft.add(new Grant.Ticked(looked)).build();
  }

  private static boolean isInUse(QueueState queue) {
    if (queue.topic() != null) {
      for (SubscriptionState subscription : queue.topic().subscriptions()) {
        if (isInUse(subscription.queue())) {
          return true;
        }
      }
    }
    return queue.scheduled().count() + CountHandler.waiting(queue.transfers) > 0
        || queue.demand().first() != null
        || queue.deadLetters().demand().first() != null
        || (queue.sessions() != null && queue.sessions().hasAcceptors());
  }
}

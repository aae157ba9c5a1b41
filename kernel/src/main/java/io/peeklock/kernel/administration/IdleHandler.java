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
 * Deletes entities that nobody used for as long as their {@code AutoDeleteOnIdle} says (S-307),
 * with all that they hold (S-311). {@link UsageTracker} says what counts as use; what goes on
 * without anybody asking counts here: messages whose time is still to come (S-308), and receivers
 * with credit (Q-15, I-34).
 *
 * <p>When an entity was last used is volatile: after a start, or where another node leads, idle
 * time is counted anew; and it is counted on the monotonic clock, which stands still while the
 * machine sleeps and does not go wrong. So an entity is at times deleted too late, and never too
 * early.
 */
public final class IdleHandler {

  private IdleHandler() {}

  public static long nextTickMillis(MachineState state, Stamp stamp) {
    return TickContext.until(state.bounds.idles().first(), stamp.monotonicMillis());
  }

  /** At most one entity is deleted by one decision, a topic with its subscriptions. */
  public static Decision decide(MachineState state, Stamp stamp) {
    DecisionBuilder draft = new DecisionBuilder();
    List<QueueId> looked = new ArrayList<>();
    for (int number : state.bounds.idles().due(stamp.monotonicMillis(), TickContext.MAX_QUEUES)) {
      QueueState queue = state.known(new QueueId(number));
      looked.add(queue.id());
      if (queue.idleBound() > stamp.monotonicMillis()) {
        continue; // it was used since
      }
      if (queue.lastUse().isKnown() && !isInUse(queue)) {
        ReceiverEnding ending = DeleteQueueHandler.ending(state, stamp, draft);
        DeleteQueueHandler.delete(queue, ending, draft);
        ending.done();
        break;
      }
      draft.add(new Grant.Used(queue.id(), stamp));
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

package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.grant.Delay;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The queues that have messages to forward, in the order of their turns. Volatile. */
public final class ForwardingQueues {

  private final ArrayDeque<QueueState> line = new ArrayDeque<>();
  private final Set<QueueState> waiting = new LinkedHashSet<>();
  private long bound = Long.MAX_VALUE;

  /** Updates a queue's place after it changed. */
  void refresh(QueueState queue) {
    if (wantsForward(queue) && !queue.isInForwardLine) {
      queue.isInForwardLine = true;
      line.addLast(queue);
    }
    for (QueueState first = line.peek();
        first != null && !wantsForward(first);
        first = line.peek()) {
      line.removeFirst();
      first.isInForwardLine = false;
    }
  }

  /** Whether a queue has messages to forward. */
  public static boolean wantsForward(QueueState queue) {
    return !queue.isDeleted()
        && queue.forwardPath() != null
        && queue.forwardsFromMillis == Long.MIN_VALUE
        && queue.messages().readyIndex().firstToForward() != Place.NONE;
  }

  /** The queue whose turn it is; null when no queue has messages to forward. */
  @Nullable QueueState first() {
    return line.peek();
  }

  /** Moves a queue to the end of the line after its turn. */
  public void hadItsTurn(QueueState queue) {
    if (line.peek() == queue) {
      line.addLast(line.removeFirst());
    }
    refresh(queue);
  }

  /** Stops a queue from forwarding until this time on the monotonic clock. */
  public void wait(QueueState queue, long untilMillis, Delay delay) {
    queue.delay = delay;
    queue.forwardsFromMillis = untilMillis;
    waiting.add(queue);
    bound = Math.min(bound, untilMillis);
    refresh(queue);
  }

  /**
   * Searches a queue's messages from the beginning again, after its destination changed or it was
   * deleted.
   */
  public void restart(QueueState queue) {
    waiting.remove(queue);
    queue.delay = null;
    queue.forwardsFromMillis = Long.MIN_VALUE;
    queue.messages().readyIndex().forwardFrom(0);
    refresh(queue);
  }

  /** No wait ends before this time on the monotonic clock. */
  public long bound() {
    return bound;
  }

  /** Lets queues whose wait is over take turns again. */
  public void retry(long monotonicMillis) {
    bound = Long.MAX_VALUE;
    for (QueueState queue : List.copyOf(waiting)) {
      if (queue.forwardsFromMillis <= monotonicMillis) {
        waiting.remove(queue);
        queue.forwardsFromMillis = Long.MIN_VALUE;
        queue.delay = wantsForward(queue) ? queue.delay : null;
        refresh(queue);
      } else {
        bound = Math.min(bound, queue.forwardsFromMillis);
      }
    }
  }
}

package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.DueOrder;
import org.jspecify.annotations.Nullable;

/**
 * Queues that have their full share of something, by how much they have. They are separated by the
 * room that they need, so that no queue is let back that could not continue. Volatile.
 */
final class ThrottledQueues {

  private final DueOrder scarce = new DueOrder();
  private final DueOrder ample = new DueOrder();

  /**
   * Sets the place of a queue.
   *
   * @param needs the room that it needs; null to remove it
   * @param has how much it has
   */
  void set(int queue, @Nullable DeliveryBudgetLevel needs, long has) {
    scarce.set(queue, needs == DeliveryBudgetLevel.SCARCE ? has : Long.MAX_VALUE);
    ample.set(queue, needs == DeliveryBudgetLevel.AMPLE ? has : Long.MAX_VALUE);
  }

  /** The next queue that has at most {@code most} and can continue at this level; 0 for none. */
  int next(DeliveryBudgetLevel level, long most) {
    int next = level == DeliveryBudgetLevel.NONE ? 0 : next(scarce, most);
    return next == 0 && level == DeliveryBudgetLevel.AMPLE ? next(ample, most) : next;
  }

  private static int next(DueOrder order, long most) {
    if (order.first() > most) {
      return 0; // nearly always, as this runs before each dispatch
    }
    int next = 0;
    for (int number : order.due(most, 1)) {
      order.resumeFrom(number + 1);
      next = number;
    }
    return next;
  }
}

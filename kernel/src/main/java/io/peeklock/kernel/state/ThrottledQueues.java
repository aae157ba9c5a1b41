package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.DueOrder;
import org.jspecify.annotations.Nullable;

/**
 * Queues that have as much of something as they may, by how much that is. Those that need little
 * room to go on and those that need more are apart, so that none is let back that could not go on.
 * Volatile.
 */
final class ThrottledQueues {

  private final DueOrder scarce = new DueOrder();
  private final DueOrder ample = new DueOrder();

  /**
   * Where a queue is.
   *
   * @param needs what room; null when it is not here
   * @param has how much of it
   */
  void set(int queue, @Nullable DeliveryBudgetLevel needs, long has) {
    scarce.set(queue, needs == DeliveryBudgetLevel.SCARCE ? has : Long.MAX_VALUE);
    ample.set(queue, needs == DeliveryBudgetLevel.AMPLE ? has : Long.MAX_VALUE);
  }

  /** The next of those that have no more than so much, and can go on at this level; 0 for none. */
  int next(DeliveryBudgetLevel level, long most) {
    int next = level == DeliveryBudgetLevel.NONE ? 0 : next(scarce, most);
    return next == 0 && level == DeliveryBudgetLevel.AMPLE ? next(ample, most) : next;
  }

  private static int next(DueOrder order, long most) {
    if (order.first() > most) {
      return 0; // nearly always: it is asked before each dispatch
    }
    int next = 0;
    for (int number : order.due(most, 1)) {
      order.resumeFrom(number + 1);
      next = number;
    }
    return next;
  }
}

package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.Place;

/** The message that a queue delivers next, and the least room with which it can. */
public final class NextDelivery {

  /** The most sessions compared when room is scarce, so that a refresh stays cheap. */
  private static final int MOST_COMPARED = 16;

  private NextDelivery() {}

  /**
   * The least level of the budget with which a queue that wants dispatch can deliver or end drains.
   *
   * @param hasLocks whether the queue may take more locks; else drains end
   */
  public static DeliveryBudgetLevel needs(QueueState queue, boolean hasLocks) {
    if (queue.sessions() != null) {
      return needs(queue.sessions(), hasLocks);
    }
    if (queue.messages().available() == 0
        || queue.demand().hasIdleDrains()
        || (!hasLocks && queue.demand().hasLockingDrains())) {
      return DeliveryBudgetLevel.NONE;
    }
    return queue.demand().isServableLightly()
        ? DeliveryBudgetLevel.SCARCE
        : DeliveryBudgetLevel.AMPLE;
  }

  private static DeliveryBudgetLevel needs(SessionTable sessions, boolean hasLocks) {
    if (sessions.wantsNoRoom() || (!hasLocks && sessions.turns().hasDraining())) {
      return DeliveryBudgetLevel.NONE;
    }
    return sessions.turns().firstReady(DeliveryBudgetLevel.SCARCE) == null
        ? DeliveryBudgetLevel.AMPLE
        : DeliveryBudgetLevel.SCARCE;
  }

  /** The bytes of the message that a queue delivers next; 0 for none. */
  static long bytes(QueueState queue) {
    SessionTable sessions = queue.sessions();
    MessageIndex messages = queue.messages();
    if (sessions != null) {
      return bytes(sessions, messages);
    }
    long place = messages.firstAvailable();
    return place == Place.NONE ? 0 : messages.size(place);
  }

  /**
   * The bytes of the smallest next message among the sessions whose turn is next, when room is
   * scarce: a large message delays its own session only.
   */
  private static long bytes(SessionTable sessions, MessageIndex messages) {
    long least = Long.MAX_VALUE;
    int left = MOST_COMPARED;
    for (Session next : sessions.turns().ready(DeliveryBudgetLevel.SCARCE)) {
      if (left-- == 0) {
        break;
      }
      least = Math.min(least, messages.size(messages.find(next.available.first())));
    }
    return least == Long.MAX_VALUE ? 0 : least;
  }
}

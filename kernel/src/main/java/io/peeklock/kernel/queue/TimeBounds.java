package io.peeklock.kernel.queue;

import io.peeklock.kernel.QueueId;

/** For which queues there is something to do, and when; too early at times, never too late. */
final class TimeBounds {

  private final DueOrder lapses = new DueOrder();
  private final DueOrder expiries = new DueOrder();
  private final DueOrder schedules = new DueOrder();
  private final DueOrder idles = new DueOrder();

  /** Queues of which a lock lapses, or somebody has waited enough for a session; monotonic. */
  DueOrder lapses() {
    return lapses;
  }

  /** Queues of which a message expires; shard time. */
  DueOrder expiries() {
    return expiries;
  }

  /**
   * Queues of which a scheduled message is due; wall time, as of {@link io.peeklock.kernel.Stamp}.
   */
  DueOrder schedules() {
    return schedules;
  }

  /** Entities that may be idle long enough; monotonic. */
  DueOrder idles() {
    return idles;
  }

  /** Something of a queue changed: there may be something to do earlier. */
  void note(QueueState queue, LockTable locks) {
    int number = queue.id().number();
    lapses.note(number, lapse(queue, locks));
    expiries.note(number, queue.messages().availability().expiryBound());
    schedules.note(number, queue.dueBound());
    idles.note(number, queue.idleBound());
  }

  /** A queue was looked at: finds anew when the next thing is to be done for it. */
  void renew(QueueState queue, LockTable locks) {
    int number = queue.id().number();
    lapses.set(number, lapse(queue, locks));
    expiries.set(number, queue.messages().availability().expiryBound());
    schedules.set(number, queue.dueBound());
    idles.set(number, queue.idleBound());
  }

  /** A queue is no more. */
  void forget(QueueId queue) {
    lapses.set(queue.number(), Long.MAX_VALUE);
    expiries.set(queue.number(), Long.MAX_VALUE);
    schedules.set(queue.number(), Long.MAX_VALUE);
    idles.set(queue.number(), Long.MAX_VALUE);
  }

  private static long lapse(QueueState queue, LockTable locks) {
    SessionTable sessions = queue.sessions();
    long first = locks.firstDeadline(queue.locks());
    return sessions == null ? first : Math.min(first, sessions.firstDeadline());
  }
}

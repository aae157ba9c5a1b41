package io.peeklock.kernel.queue;

/** Before which times nothing happens in any queue; too early at times, never too late. */
final class TimeBounds {

  private long lock = Long.MAX_VALUE;
  private long expiry = Long.MAX_VALUE;
  private long due = Long.MAX_VALUE;
  private long idle = Long.MAX_VALUE;

  /** No lock lapses, and nobody has waited enough for a session, before this deadline. */
  long lock() {
    return lock;
  }

  /** Nothing expires before this time. */
  long expiry() {
    return expiry;
  }

  /** No scheduled message is due before this time. */
  long due() {
    return due;
  }

  /** No entity is idle long enough before this time. */
  long idle() {
    return idle;
  }

  /** Something of a queue changed. */
  void note(QueueState queue, LockTable locks) {
    lock = Math.min(lock, locks.firstDeadline(queue.locks()));
    SessionTable sessions = queue.sessions();
    if (sessions != null) {
      lock = Math.min(lock, sessions.firstDeadline());
    }
    expiry = Math.min(expiry, queue.messages().availability().expiryBound());
    due = Math.min(due, queue.dueBound());
    idle = Math.min(idle, queue.idleBound());
  }

  /** Finds anew when the first lock lapses, the first message expires, and the first is due. */
  void renew(Iterable<QueueState> queues, LockTable locks) {
    lock = Long.MAX_VALUE;
    expiry = Long.MAX_VALUE;
    due = Long.MAX_VALUE;
    idle = Long.MAX_VALUE;
    for (QueueState queue : queues) {
      note(queue, locks);
      note(queue.deadLetters(), locks);
    }
  }
}

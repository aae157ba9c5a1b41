package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.DueOrder;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.grant.Grant.Due;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When each queue has timed work next; may be too early, never too late. */
public final class TimeBounds {

  private static final List<Due> SCHEDULED = List.of(Due.SCHEDULES, Due.READ_COPIES, Due.COPIES);

  private final DueOrder lapses = new DueOrder();
  private final DueOrder expiries = new DueOrder();
  private final DueOrder schedules = new DueOrder();
  private final DueOrder copies = new DueOrder();
  private final DueOrder readCopies = new DueOrder();
  private final DueOrder idles = new DueOrder();

  /** The queues or topics by when they have work of a kind. */
  public DueOrder of(Due due) {
    return switch (due) {
      case LAPSES -> lapses;
      case EXPIRIES -> expiries;
      case SCHEDULES -> schedules;
      case READ_COPIES -> readCopies;
      case COPIES -> copies;
    };
  }

  /**
   * The kind of work that due scheduled messages are for a queue, or for a topic with its rules as
   * they are now. A topic may still be listed by its earlier rules, and is moved when it is served.
   */
  public static Due whenScheduled(QueueState queue) {
    TopicState topic = queue.topic();
    if (topic == null) {
      return Due.SCHEDULES;
    }
    return topic.looksAtMessages() ? Due.READ_COPIES : Due.COPIES;
  }

  /** The entities by when they may be idle long enough, on the monotonic clock. */
  public DueOrder idles() {
    return idles;
  }

  /** Notes a change of a queue, which may bring its times forward. */
  public void note(QueueState queue, LockTable locks) {
    int number = queue.id().number();
    lapses.note(number, lapse(queue, locks));
    expiries.note(number, queue.messages().readyIndex().expiryBound());
    of(whenScheduled(queue)).note(number, queue.dueBound());
    idles.note(number, queue.idleBound());
  }

  /** Computes the times of a queue again after it was served. */
  void renew(QueueState queue, LockTable locks) {
    int number = queue.id().number();
    lapses.set(number, lapse(queue, locks));
    expiries.set(number, queue.messages().readyIndex().expiryBound());
    DueOrder right = of(whenScheduled(queue));
    forgetScheduled(number, right);
    right.set(number, queue.dueBound());
    idles.set(number, queue.idleBound());
  }

  /** Forgets a deleted queue. */
  void forget(QueueId queue) {
    lapses.set(queue.number(), Long.MAX_VALUE);
    expiries.set(queue.number(), Long.MAX_VALUE);
    forgetScheduled(queue.number(), null);
    idles.set(queue.number(), Long.MAX_VALUE);
  }

  private void forgetScheduled(int number, @Nullable DueOrder except) {
    for (Due due : SCHEDULED) {
      if (of(due) != except) {
        of(due).set(number, Long.MAX_VALUE);
      }
    }
  }

  private static long lapse(QueueState queue, LockTable locks) {
    SessionTable sessions = queue.sessions();
    long first = locks.firstDeadline(queue.locks());
    return sessions == null ? first : Math.min(first, sessions.firstDeadline());
  }
}

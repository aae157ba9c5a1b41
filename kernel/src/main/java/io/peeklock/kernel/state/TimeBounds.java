package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.DueOrder;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.grant.Grant.Due;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For which queues there is something to do, and when; too early at times, never too late. */
public final class TimeBounds {

  private static final List<Due> SCHEDULED = List.of(Due.SCHEDULES, Due.READ_COPIES, Due.COPIES);

  private final DueOrder lapses = new DueOrder();
  private final DueOrder expiries = new DueOrder();
  private final DueOrder schedules = new DueOrder();
  private final DueOrder copies = new DueOrder();
  private final DueOrder readCopies = new DueOrder();
  private final DueOrder idles = new DueOrder();

  /** The queues, or topics, for which there is something of a kind to do. */
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
   * What it is for a queue, or a topic as it is now, that scheduled messages are due: a topic may
   * still stand where it was before its rules changed, and is put right when it is looked at.
   */
  public static Due whenScheduled(QueueState queue) {
    TopicState topic = queue.topic();
    if (topic == null) {
      return Due.SCHEDULES;
    }
    return topic.looksAtMessages() ? Due.READ_COPIES : Due.COPIES;
  }

  /** Entities that may be idle long enough; monotonic. */
  public DueOrder idles() {
    return idles;
  }

  /** Something of a queue changed: there may be something to do earlier. */
  public void note(QueueState queue, LockTable locks) {
    int number = queue.id().number();
    lapses.note(number, lapse(queue, locks));
    expiries.note(number, queue.messages().readyIndex().expiryBound());
    of(whenScheduled(queue)).note(number, queue.dueBound());
    idles.note(number, queue.idleBound());
  }

  /** A queue was looked at: finds anew when the next thing is to be done for it. */
  void renew(QueueState queue, LockTable locks) {
    int number = queue.id().number();
    lapses.set(number, lapse(queue, locks));
    expiries.set(number, queue.messages().readyIndex().expiryBound());
    DueOrder right = of(whenScheduled(queue));
    forgetScheduled(number, right);
    right.set(number, queue.dueBound());
    idles.set(number, queue.idleBound());
  }

  /** A queue is no more. */
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

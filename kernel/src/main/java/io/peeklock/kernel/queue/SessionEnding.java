package io.peeklock.kernel.queue;

import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Stamp;
import java.util.List;

/**
 * The end of a session lock. Its messages are free again in their old places: with a count where
 * the time ran out (S-128), without where the holder left (S-248, R-32).
 */
final class SessionEnding {

  private SessionEnding() {}

  /** Session locks whose time is over, and acceptors that waited enough; how much work it was. */
  static int lapse(MachineState state, QueueState queue, Stamp stamp, int most, Draft draft) {
    SessionTable sessions = queue.sessions();
    if (sessions == null || most <= 0 || sessions.firstDeadline() > stamp.monotonicMillis()) {
      return 0;
    }
    draft.add(new Grant.Used(queue.id(), stamp.nowMillis())); // credit and waiting end here
    Session session = sessions.firstToLapse();
    if (session != null && session.deadlineMillis <= stamp.monotonicMillis()) {
      return lose(state, queue, session, stamp, draft); // the next one in the next decision
    }
    List<SessionTable.Acceptor> due = sessions.acceptors().due(stamp.monotonicMillis(), most);
    for (SessionTable.Acceptor acceptor : due) {
      draft.add(
          new Effect.Refused(
              acceptor.origin(), stamp.index(), acceptor.ticket(), new Refusal.Timeout()));
      draft.add(new Grant.AcceptorLeft(acceptor.origin(), queue.id()));
    }
    return due.size();
  }

  private static int lose(
      MachineState state, QueueState queue, Session session, Stamp stamp, Draft draft) {
    int messages = session.locked.size();
    Receiver holder = session.holder;
    letGo(state, queue, session, stamp, true, draft);
    if (holder != null) {
      draft.add(new Effect.SessionLost(holder.origin, stamp.index()));
      draft.add(new Grant.ReceiverClosed(holder.origin));
    }
    return messages + 1;
  }

  /** Ends the locks of all messages of a session. */
  static void letGo(
      MachineState state,
      QueueState queue,
      Session session,
      Stamp stamp,
      boolean counted,
      Draft draft) {
    LockEndings endings = new LockEndings(queue, stamp, counted, true);
    for (long number = session.locked.first();
        number != NumberLine.NONE;
        number = session.locked.from(number + 1)) {
      long place = queue.messages().find(number);
      int slot = queue.messages().chunk(place).lockSlot(MessageIndex.row(place)) - 1;
      endings.add(number, state.locks.id(slot));
    }
    endings.leave(draft, PropertyChange.none());
    if (endings.anyStays()) {
      if (counted) {
        draft.add(new Fact.LockLapsed(queue.id(), endings.staying()));
      }
      draft.add(new Grant.Unlocked(queue.id(), endings.stayingLocks(), true));
    }
  }
}

package io.peeklock.kernel.session;

import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.TickContext;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.settle.PropertyChange;
import io.peeklock.kernel.settle.UnlockRules;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;
import java.util.List;

/**
 * Ends session locks. The messages of the session are available again in their old places: with a
 * failed attempt when the lock expired (S-128), without when the holder left (S-248, R-32). The
 * holder loses all of them at once. If they are many, they become free slice by slice, and the
 * session can be locked only after the last, as its messages come in order (I-26).
 */
public final class SessionEnding {

  /** The most messages that one decision frees. */
  public static final int SLICE = 2_048;

  private SessionEnding() {}

  /**
   * Frees more messages of ended sessions, ends the lock that expired first (the next one in the
   * next decision), and refuses acceptors whose wait is over. None of these waits until another is
   * finished.
   *
   * @param most the most acceptors to refuse
   * @param frees the most messages to free
   * @return how many acceptors were refused
   */
  public static int lapse(
      MachineState state, QueueState queue, Stamp stamp, int most, int frees, TickContext tick) {
    SessionTable sessions = queue.sessions();
    if (sessions == null || sessions.firstDeadline() > stamp.monotonicMillis()) {
      return 0;
    }
    DecisionBuilder draft = tick.draft();
    int freed = 0;
    Session ending = sessions.firstEnding();
    if (ending != null) {
      boolean counted = ending.endsCounted && !state.sparesLog;
      freed = letGo(state, queue, ending, stamp, counted, frees, draft);
    }
    Session session = sessions.firstToLapse();
    if (session != null && session.deadlineMillis <= stamp.monotonicMillis()) {
      draft.add(new Grant.Used(queue.id(), stamp)); // credit and waiting end here
      freed += lose(state, queue, session, stamp, frees - freed, draft);
    }
    tick.freed(freed);
    return tellAcceptors(queue, sessions, stamp, most, draft);
  }

  private static int tellAcceptors(
      QueueState queue, SessionTable sessions, Stamp stamp, int most, DecisionBuilder draft) {
    List<SessionTable.Acceptor> due = sessions.acceptors().due(stamp.monotonicMillis(), most);
    for (SessionTable.Acceptor acceptor : due) {
      draft.add(
          new Effect.Refused(
              acceptor.origin(), stamp.index(), acceptor.ticket(), new Refusal.Timeout()));
      draft.add(new Grant.AcceptorLeft(acceptor.origin(), queue.id()));
    }
    if (!due.isEmpty()) {
      draft.add(new Grant.Used(queue.id(), stamp));
    }
    return due.size();
  }

  private static int lose(
      MachineState state,
      QueueState queue,
      Session session,
      Stamp stamp,
      int frees,
      DecisionBuilder draft) {
    Receiver holder = session.holder;
    int messages = letGo(state, queue, session, stamp, !state.sparesLog, frees, draft);
    if (holder != null) {
      draft.add(new Effect.SessionLost(holder.origin, stamp.index(), false));
      draft.add(new Grant.ReceiverClosed(holder.origin));
    }
    return messages;
  }

  /** Ends the locks of a session's messages, at most {@code most} of them, and returns how many. */
  public static int letGo(
      MachineState state,
      QueueState queue,
      Session session,
      Stamp stamp,
      boolean counted,
      int most,
      DecisionBuilder draft) {
    UnlockRules endings = new UnlockRules(queue, stamp, counted, true);
    int count = Math.min(Math.max(0, most), session.locked.size());
    long number = session.locked.first();
    for (int i = 0; i < count; i++) {
      long place = queue.messages().find(number);
      int slot = queue.messages().chunk(place).lockSlot(Place.row(place)) - 1;
      endings.add(number, state.locks.id(slot));
      number = session.locked.from(number + 1);
    }
    endings.leave(draft, PropertyChange.none());
    if (endings.anyStays()) {
      if (counted) {
        draft.add(new Fact.LockLapsed(queue.id(), endings.staying()));
      }
      draft.add(new Grant.Unlocked(queue.id(), endings.stayingLocks(), true));
    }
    if (count < session.locked.size() && !session.isEnding) {
      draft.add(new Grant.SessionEnds(queue.id(), session.id, counted));
    }
    return count;
  }
}

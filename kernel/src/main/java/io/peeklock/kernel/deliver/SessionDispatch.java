package io.peeklock.kernel.deliver;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.columns.SortedLongs;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.session.SessionHandler;
import io.peeklock.kernel.settle.PropertyChange;
import io.peeklock.kernel.settle.UnlockRules;
import io.peeklock.kernel.state.DeliveryBudget;
import io.peeklock.kernel.state.LockTable;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Gives available sessions to acceptors of any session (S-238, S-242), and delivers the messages of
 * each session in order to its holder alone (S-246, I-24, I-26). A message has no lock time of its
 * own here: it is locked as long as its session is (S-245).
 */
public final class SessionDispatch {

  private SessionDispatch() {}

  /**
   * Decides one slice for a queue with sessions: offers sessions to waiting acceptors, else
   * delivers messages, or ends drains that nothing more can be delivered to.
   */
  public static Decision decide(
      MachineState state, QueueState queue, SessionTable sessions, Stamp stamp) {
    DecisionBuilder draft = new DecisionBuilder();
    int locks = state.room.isFor(queue) ? state.locks.roomFor(queue.locks()) : 0;
    endDrains(sessions.turns().drained(), draft); // a holder takes no other session
    if (sessions.hasAcceptors() && sessions.turns().hasOffers()) {
      offer(queue, sessions, stamp, draft);
    } else if (locks > 0 && sessions.turns().firstReady(state.room.level()) != null) {
      deliver(state, queue, sessions, stamp, Math.min(DispatchHandler.SLICE, locks), draft);
    } else if (locks == 0) { // messages are available, but cannot be locked for an unknown time
      endDrains(sessions.turns().draining(), draft);
    }
    return draft.build();
  }

  private static void offer(
      QueueState queue, SessionTable sessions, Stamp stamp, DecisionBuilder draft) {
    LongList expired = new LongList();
    Iterator<SessionTable.Acceptor> waiting = sessions.acceptors().all().iterator();
    int left = DispatchHandler.SLICE;
    SortedLongs offered = sessions.turns().offered();
    long number = offered.first();
    while (number != SortedLongs.NONE && left-- > 0 && waiting.hasNext()) {
      long place = queue.messages().find(number);
      if (queue.isExpired(place, stamp.nowMillis())) {
        expired.add(number); // what is behind it is looked at next time, and first
      } else if (expired.isEmpty()) {
        int slot = queue.messages().chunk(place).sessionSlot(Place.row(place));
        SessionTable.Acceptor next = waiting.next();
        draft.add(new Grant.AcceptorLeft(next.origin(), queue.id()));
        SessionHandler.give(queue, stamp, next, sessions.bySlot(slot).id, draft);
      }
      number = offered.from(number + 1);
    }
    if (!expired.isEmpty()) {
      draft.add(UnlockRules.expiry(queue, expired.toArray(), false, PropertyChange.none()));
    }
  }

  /**
   * Delivers one slice to the sessions whose turn it is, so that many sessions with a message each
   * share it.
   */
  private static void deliver(
      MachineState state,
      QueueState queue,
      SessionTable sessions,
      Stamp stamp,
      int most,
      DecisionBuilder draft) {
    LongList expired = new LongList();
    LockTable.Reservation reservation = state.locks.reserve();
    int left = most;
    int looks = DispatchHandler.SLICE;
    DeliveryBudget.Draw draw = state.room.draw(queue.underWay);
    for (Session session : sessions.turns().ready(state.room.level())) {
      Receiver holder = session.holder;
      if (left <= 0 || looks-- == 0 || holder == null) {
        break;
      }
      BurstBuilder burst = collect(state, queue, session, holder, left, draw, stamp, expired);
      left -= burst.count();
      if (burst.count() == 0) {
        continue; // what was looked at is expired, and leaves with this decision, or has no room
      }
      if (holder.mode == ReceiveMode.PEEK_LOCK) {
        lock(queue, session, holder, stamp, reservation, burst, draft);
      } else {
        draft.add(new Fact.Consumed(queue.id(), burst.numbers())); // S-262, I-07
        tell(queue, holder, burst, stamp.index(), null, 0, draft);
      }
    }
    if (!expired.isEmpty()) {
      draft.add(UnlockRules.expiry(queue, expired.toArray(), false, PropertyChange.none()));
    }
  }

  private static BurstBuilder collect(
      MachineState state,
      QueueState queue,
      Session session,
      Receiver holder,
      int left,
      DeliveryBudget.Draw draw,
      Stamp stamp,
      LongList expired) {
    MessageIndex messages = queue.messages();
    int most = (int) Math.min(holder.demand(), Math.min(left, session.available.size()));
    BurstBuilder burst = new BurstBuilder(state, most);
    for (long number = session.available.first();
        number != SortedLongs.NONE
            && burst.count() < most
            && expired.size() < DispatchHandler.SLICE
            && draw.allows(holder.unsentBytes + burst.bytes());
        number = session.available.from(number + 1)) {
      long place = messages.find(number);
      if (queue.isExpired(place, stamp.nowMillis())) {
        expired.add(number);
      } else if (!draw.fits(messages.size(place))) {
        break;
      } else {
        long before = burst.bytes();
        burst.add(messages, place);
        draw.take(burst.bytes() - before);
      }
    }
    return burst;
  }

  private static void lock(
      QueueState queue,
      Session session,
      Receiver holder,
      Stamp stamp,
      LockTable.Reservation reservation,
      BurstBuilder burst,
      DecisionBuilder draft) {
    long[] lockIds = reservation.ids(burst.count());
    draft.add(new Grant.Locked(queue.id(), burst.numbers(), lockIds, Long.MAX_VALUE));
    long until = stamp.wallMillis() + session.deadlineMillis - stamp.monotonicMillis();
    tell(queue, holder, burst, burst.newestIndex(), lockIds, until, draft);
  }

  private static void tell(
      QueueState queue,
      Receiver holder,
      BurstBuilder burst,
      long index,
      long @Nullable [] lockIds,
      long lockedUntil,
      DecisionBuilder draft) {
    draft.add(new Grant.DemandUsed(holder.origin, burst.count(), burst.bytes(), index));
    MessageBurst messages = burst.build(lockIds, lockedUntil);
    draft.add(new Effect.Delivered(holder.origin, index, queue.id(), messages));
  }

  private static void endDrains(Iterable<Session> draining, DecisionBuilder draft) {
    Iterator<Session> over = draining.iterator();
    for (int left = DispatchHandler.SLICE; left > 0 && over.hasNext(); left--) {
      Receiver holder = over.next().holder;
      DispatchHandler.endDrain(Invariant.present(holder, "who drains holds a session"), draft);
    }
  }
}

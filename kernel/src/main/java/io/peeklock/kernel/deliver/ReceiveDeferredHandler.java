package io.peeklock.kernel.deliver;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.settle.PropertyChange;
import io.peeklock.kernel.settle.RepeatedNumbers;
import io.peeklock.kernel.settle.UnlockRules;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.Session;
import org.jspecify.annotations.Nullable;

/**
 * Receives deferred messages by number, in the order asked for (S-207, S-210), all or none: one
 * that is unknown, locked, active or named twice fails the call (S-208, S-211, S-214). So does an
 * expired one, which expires as it is touched (R-13, S-175).
 */
public final class ReceiveDeferredHandler {

  /**
   * Until when a message of a session is locked that was received by number: as long as its session
   * is, however often that is renewed (S-245). A client remembers its token no longer than until
   * then. 9999-12-31T23:59:59Z, the last second that all clients know.
   */
  public static final long WITH_ITS_SESSION_MILLIS = 253_402_300_799_000L;

  private ReceiveDeferredHandler() {}

  /**
   * Decides the request. Also refused when receiving is disabled, the session is not held, the
   * answer would be too large, or there are not enough locks.
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.ReceiveDeferred request) {
    QueueState queue = state.queue(request.queue());
    if (queue == null) {
      return whole(request, stamp, new Refusal.EntityNotFound());
    }
    if (!queue.definition().status().letsReceive()) {
      return whole(request, stamp, new Refusal.EntityDisabled());
    }
    Session session = null;
    if (queue.definition().requiresSession()) { // S-216; nobody holds one among dead letters: S-203
      session = queue.sessions() == null ? null : sessionOf(state, request, stamp);
      if (session == null) {
        return whole(request, stamp, new Refusal.SessionLockLost());
      }
    }
    BurstBuilder burst = new BurstBuilder(state, request.sequenceNumbers().length);
    LongList expired = new LongList();
    LongList missing = new LongList();
    find(queue, session, stamp, request.sequenceNumbers(), burst, expired, missing);
    if (!missing.isEmpty()) {
      return refused(queue, stamp, request, expired, missing.get(0));
    }
    Refusal refusal = refusal(state, queue, request, burst);
    return refusal == null
        ? received(state, queue, session, stamp, request, burst)
        : whole(request, stamp, refusal);
  }

  private static Decision whole(Request.ReceiveDeferred request, Stamp stamp, Refusal refusal) {
    return Refusals.whole(request.origin(), stamp, request.ticket(), 0, refusal);
  }

  /** Splits the numbers into receivable and missing ones; expired ones count as missing too. */
  private static void find(
      QueueState queue,
      @Nullable Session session,
      Stamp stamp,
      long[] wanted,
      BurstBuilder burst,
      LongList expired,
      LongList missing) {
    boolean[] repeated = RepeatedNumbers.in(wanted, wanted.length);
    for (int i = 0; i < wanted.length; i++) {
      long place = queue.messages().find(wanted[i]);
      if ((repeated != null && repeated[i]) || !isReceivable(queue, session, place)) {
        missing.add(wanted[i]);
      } else if (queue.isExpired(place, stamp.nowMillis())) {
        expired.add(wanted[i]);
        missing.add(wanted[i]);
      } else {
        burst.add(queue.messages(), place);
      }
    }
  }

  /** Why messages that are all receivable are refused; null when they are not. */
  private static @Nullable Refusal refusal(
      MachineState state, QueueState queue, Request.ReceiveDeferred request, BurstBuilder burst) {
    if (isTooLarge(burst, request)) {
      return new Refusal.AnswerTooLarge(burst.bytes(), request.maxBytes());
    }
    return hasRoom(state, queue, request)
        ? null
        : new Refusal.TooManyLocked(state.locks.roomFor(queue.locks()));
  }

  /** Receive-and-delete cannot be undone when there is no memory to send the messages. */
  private static boolean isTooLarge(BurstBuilder burst, Request.ReceiveDeferred request) {
    boolean mayBeLarge = burst.count() == 1 && request.mode() == ReceiveMode.PEEK_LOCK;
    return !mayBeLarge && burst.bytes() > request.maxBytes();
  }

  /** The session that the receiver holds, null for none. */
  private static @Nullable Session sessionOf(
      MachineState state, Request.ReceiveDeferred request, Stamp stamp) {
    Receiver holder = request.holder() == null ? null : state.receiver(request.holder());
    Session session = holder == null ? null : holder.session;
    return session != null && session.isHeld(stamp.monotonicMillis()) ? session : null;
  }

  private static boolean isReceivable(QueueState queue, @Nullable Session session, long place) {
    if (place == Place.NONE) {
      return false;
    }
    Chunk chunk = queue.messages().chunk(place);
    int row = Place.row(place);
    int slot = session == null ? 0 : session.slot;
    return chunk.isDeferred(row)
        && chunk.lockSlot(row) == 0
        && (queue.sessions() == null || chunk.sessionSlot(row) == slot);
  }

  private static boolean hasRoom(
      MachineState state, QueueState queue, Request.ReceiveDeferred request) {
    return request.mode() == ReceiveMode.RECEIVE_AND_DELETE
        || state.locks.roomFor(queue.locks()) >= request.sequenceNumbers().length;
  }

  private static Decision refused(
      QueueState queue,
      Stamp stamp,
      Request.ReceiveDeferred request,
      LongList expired,
      long firstMissing) {
    DecisionBuilder draft = new DecisionBuilder();
    if (!expired.isEmpty()) {
      draft.add(UnlockRules.expiry(queue, expired.toArray(), false, PropertyChange.none()));
    }
    return draft
        .add(
            new Effect.Refused(
                request.origin(),
                stamp.index(),
                request.ticket(),
                new Refusal.MessageNotFound(firstMissing)))
        .build();
  }

  private static Decision received(
      MachineState state,
      QueueState queue,
      @Nullable Session session,
      Stamp stamp,
      Request.ReceiveDeferred request,
      BurstBuilder burst) {
    DecisionBuilder draft = new DecisionBuilder();
    long[] lockIds = null;
    long lockedUntil = 0;
    if (request.mode() == ReceiveMode.PEEK_LOCK && burst.count() > 0) {
      long duration = queue.definition().lockDurationMillis();
      lockIds = state.locks.reserve().ids(burst.count());
      boolean alone = session == null;
      lockedUntil = alone ? stamp.wallMillis() + duration : WITH_ITS_SESSION_MILLIS;
      long deadline = alone ? stamp.monotonicMillis() + duration : Long.MAX_VALUE; // S-245
      draft.add(new Grant.Locked(queue.id(), burst.numbers(), lockIds, deadline));
    } else if (burst.count() > 0) {
      draft.add(new Fact.Consumed(queue.id(), burst.numbers()));
    }
    return draft
        .add(
            new Effect.DeferredReceived(
                request.origin(),
                stamp.index(),
                request.ticket(),
                burst.build(lockIds, lockedUntil)))
        .build();
  }
}

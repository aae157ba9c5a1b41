package io.peeklock.kernel.session;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SharedSession;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;
import org.jspecify.annotations.Nullable;

/** Gives message sessions to receivers (S-236 to S-239), and extends their locks (S-244). */
public final class SessionHandler {

  private SessionHandler() {}

  /**
   * Locks a named session, or makes the receiver wait for any. Refused when the queue has no
   * sessions or is disabled for receiving, or the session is locked (S-237); unless its present
   * token is presented, by which the receiver takes it over (S-517).
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.AcceptSession accept) {
    QueueState queue = state.queue(accept.queue());
    SessionTable sessions = queue == null ? null : queue.sessions();
    if (queue == null || sessions == null) {
      return refused(stamp, accept, new Refusal.EntityNotFound());
    }
    String destination = queue.forwardPath();
    if (destination != null) { // S-289
      return refused(stamp, accept, new Refusal.MessagesAreForwarded(destination));
    }
    if (!queue.definition().status().letsReceive()) {
      return refused(stamp, accept, new Refusal.EntityDisabled());
    }
    String id = accept.sessionId();
    if (id == null) {
      return wait(queue, stamp, accept);
    }
    return lock(queue, stamp, accept, id, sessions.byId(id));
  }

  /** Locks a named session, if it is free, or taken by who presents its token. */
  private static Decision lock(
      QueueState queue,
      Stamp stamp,
      Request.AcceptSession accept,
      String id,
      @Nullable Session session) {
    SharedSession shared = accept.shared();
    SharedSession.Token presented = shared == null ? null : shared.presented();
    if (presented == null
        ? session != null && session.isTaken() // S-237
        : session == null || !isShared(session, presented, stamp)) { // S-518
      return refused(stamp, accept, new Refusal.SessionCannotBeLocked(id));
    }
    DecisionBuilder draft = new DecisionBuilder();
    SharedSession.Token token = presented == null ? assigned(accept) : presented;
    give(
        queue,
        stamp,
        new SessionTable.Acceptor(accept.origin(), accept.ticket(), accept.mode(), 0, token),
        id,
        draft);
    Receiver former = session == null ? null : session.holder;
    if (former != null) { // S-517: its messages stay under the lock of the session (S-519)
      draft.add(new Effect.SessionLost(former.origin, stamp.index(), true));
      draft.add(new Grant.ReceiverClosed(former.origin));
    }
    return draft.build();
  }

  private static boolean isShared(Session session, SharedSession.Token presented, Stamp stamp) {
    return presented.equals(session.token)
        && session.isHeld(stamp.monotonicMillis())
        && !session.isEnding;
  }

  private static SharedSession.@Nullable Token assigned(Request.AcceptSession accept) {
    SharedSession shared = accept.shared();
    return shared == null ? null : shared.assigned();
  }

  /** Acceptors of any session wait in one line, which dispatch serves. */
  private static Decision wait(QueueState queue, Stamp stamp, Request.AcceptSession accept) {
    long wait = Math.min(accept.waitMillis(), Long.MAX_VALUE - stamp.monotonicMillis());
    return Decision.granting(
        new Grant.AcceptorWaits(
            accept.origin(),
            queue.id(),
            accept.ticket(),
            accept.mode(),
            stamp.monotonicMillis() + Math.max(0, wait),
            assigned(accept)));
  }

  /** Gives an acceptor a session that nobody holds. */
  public static void give(
      QueueState queue,
      Stamp stamp,
      SessionTable.Acceptor acceptor,
      String id,
      DecisionBuilder draft) {
    long duration = queue.definition().lockDurationMillis();
    draft.add(
        new Grant.SessionLocked(
            acceptor.origin(),
            queue.id(),
            acceptor.mode(),
            id,
            stamp.monotonicMillis() + duration,
            acceptor.token()));
    draft.add(
        new Effect.SessionAccepted(
            acceptor.origin(),
            stamp.index(),
            acceptor.ticket(),
            id,
            stamp.wallMillis() + duration,
            acceptor.token()));
  }

  /** Extends a session lock, never to an earlier time (I-19); refused when it is not held. */
  public static Decision decide(MachineState state, Stamp stamp, Request.RenewSession renew) {
    QueueState queue = state.queue(renew.queue());
    Session session = held(queue, renew.sessionId(), renew.holder(), stamp);
    if (queue == null || session == null) {
      return Refusals.whole(
          renew.origin(), stamp, renew.ticket(), 0, new Refusal.SessionLockLost());
    }
    long duration = queue.definition().lockDurationMillis();
    long deadline = Math.max(session.deadlineMillis, stamp.monotonicMillis() + duration); // I-19
    return new DecisionBuilder()
        .add(new Grant.SessionExtended(queue.id(), session.id, deadline))
        .add(
            new Effect.Renewed(
                renew.origin(),
                stamp.index(),
                renew.ticket(),
                stamp.wallMillis() + deadline - stamp.monotonicMillis()))
        .build();
  }

  /** The session if this receiver holds it now (S-251, S-258), else null. */
  static @Nullable Session held(
      @Nullable QueueState queue, String id, @Nullable Origin holder, Stamp stamp) {
    SessionTable sessions = queue == null ? null : queue.sessions();
    Session session = sessions == null ? null : sessions.byId(id);
    boolean isHeld =
        session != null
            && session.isHeld(stamp.monotonicMillis())
            && holder != null
            && session.isHeldBy(holder);
    return isHeld ? session : null;
  }

  private static Decision refused(Stamp stamp, Request.AcceptSession accept, Refusal refusal) {
    return Refusals.whole(accept.origin(), stamp, accept.ticket(), 0, refusal);
  }
}

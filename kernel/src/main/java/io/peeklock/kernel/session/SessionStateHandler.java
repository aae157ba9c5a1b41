package io.peeklock.kernel.session;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FairShare;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and sets states of sessions (S-253 to S-258), and lists sessions (S-259, S-260). */
public final class SessionStateHandler {

  /** The most places of sessions that one decision looks at, empty ones included. */
  static final int MOST_LOOKED_AT = 16_384;

  private SessionStateHandler() {}

  /** Answers with the state's body id; refused when the session is not held. */
  public static Decision decide(MachineState state, Stamp stamp, Request.GetSessionState get) {
    Session session =
        SessionHandler.held(state.queue(get.queue()), get.sessionId(), get.holder(), stamp);
    if (session == null) {
      return Refusals.whole(get.origin(), stamp, get.ticket(), 0, new Refusal.SessionLockLost());
    }
    return Decision.telling(
        new Effect.SessionStateRead(
            get.origin(), stamp.index(), get.ticket(), session.stateBodyId));
  }

  /** Sets or clears a state; refused as {@link #refusal} says. */
  public static Decision decide(MachineState state, Stamp stamp, Request.SetSessionState set) {
    Refusal refusal = refusal(state, stamp, set, Earlier.NONE);
    if (refusal != null) {
      return Refusals.whole(set.origin(), stamp, set.ticket(), set.bytes() < 0 ? 0 : 1, refusal);
    }
    DecisionBuilder draft = new DecisionBuilder();
    set(state, stamp, set, state.nextBodyId, draft);
    return draft
        .add(new Effect.SessionStateStored(set.origin(), stamp.index(), set.ticket()))
        .build();
  }

  /** Answers whether a state could be set, for a transaction that sets it at its commit (S-525). */
  public static Decision decide(
      MachineState state, Stamp stamp, TransactionRequest.CheckSessionState check) {
    Request.SetSessionState set = check.set();
    Refusal refusal = refusal(state, stamp, set, Earlier.NONE);
    return refusal == null
        ? Decision.telling(new Effect.SessionStateStored(set.origin(), stamp.index(), set.ticket()))
        : Refusals.whole(set.origin(), stamp, set.ticket(), 0, refusal);
  }

  /**
   * What the same commit has set before, which counts although it is not applied yet. All of it
   * counts for the one queue, which may refuse too much but never too little.
   *
   * @param states of sessions that had none
   * @param bytes of all
   */
  public record Earlier(int states, long bytes) {
    /** Nothing set before. */
    public static final Earlier NONE = new Earlier(0, 0);
  }

  /**
   * Why the state cannot be set: the session is not held, too many sessions have a state (S-257),
   * the memory share or the quota (S-256) is exceeded; null when it can.
   */
  public static @Nullable Refusal refusal(
      MachineState state, Stamp stamp, Request.SetSessionState set, Earlier earlier) {
    QueueState queue = state.queue(set.queue());
    Session session = SessionHandler.held(queue, set.sessionId(), set.holder(), stamp);
    if (queue == null || session == null) {
      return new Refusal.SessionLockLost();
    }
    if (set.bytes() >= 0 && session.stateBodyId == 0 && !hasRoom(queue, earlier.states())) {
      return new Refusal.TooManySessionStates(SessionTable.MOST_STATES);
    }
    Refusal overShare = overShare(state, queue, session, set.bytes());
    if (overShare != null) {
      return overShare;
    }
    long max = queue.definition().maxSizeBytes();
    long bytes = queue.quotaBytes() - session.stateBytes + earlier.bytes();
    return set.bytes() > max - bytes ? new Refusal.QuotaExceeded(bytes, max) : null; // S-256
  }

  /** A state that does not grow is never refused. */
  private static @Nullable Refusal overShare(
      MachineState state, QueueState queue, Session session, int bytes) {
    SessionTable sessions = queue.sessions();
    if (sessions == null || bytes < 0 || !(isAlone(session) || bytes > session.stateBytes)) {
      return null;
    }
    long heap = isAlone(session) ? (long) sessions.states() * StoredMemory.SESSION_BYTES : 0;
    return FairShare.ofGrowth(state, queue, heap, sessions.stateBytes());
  }

  private static boolean isAlone(Session session) {
    return session.messages == 0 && session.stateBodyId == 0;
  }

  private static boolean hasRoom(QueueState queue, int more) {
    SessionTable sessions = queue.sessions();
    return sessions != null && sessions.hasRoomForStates(more + 1);
  }

  /** Whether the session has neither messages nor a state so far. */
  public static boolean isAlone(MachineState state, Request.SetSessionState set) {
    QueueState queue = state.queue(set.queue());
    SessionTable sessions = queue == null ? null : queue.sessions();
    Session session = sessions == null ? null : sessions.byId(set.sessionId());
    return session != null && isAlone(session);
  }

  /** Whether the session has no state so far. */
  public static boolean isFirst(MachineState state, Stamp stamp, Request.SetSessionState set) {
    Session session =
        SessionHandler.held(state.queue(set.queue()), set.sessionId(), set.holder(), stamp);
    return session != null && session.stateBodyId == 0;
  }

  /**
   * Adds the fact that sets or clears the state.
   *
   * @return whether there is a fact, which names the body if there is one
   */
  public static boolean set(
      MachineState state,
      Stamp stamp,
      Request.SetSessionState set,
      long bodyId,
      DecisionBuilder draft) {
    boolean clears = set.bytes() < 0;
    if (clears && isFirst(state, stamp, set)) {
      return false;
    }
    draft.add(
        new Fact.SessionStateSet(
            set.queue(),
            Invariant.present(
                    SessionHandler.held(
                        state.queue(set.queue()), set.sessionId(), set.holder(), stamp),
                    "it was judged before")
                .id,
            clears ? 0 : bodyId,
            Math.max(0, set.bytes()),
            stamp.nowMillis()));
    return true;
  }

  /** Lists sessions from one part of the table; a queue without sessions has an empty list. */
  public static Decision decide(MachineState state, Stamp stamp, Request.ListSessions list) {
    QueueState queue = state.queue(list.queue());
    SessionTable sessions = queue == null ? null : queue.sessions();
    int end = sessions == null ? 0 : sessions.slotsEnd();
    int slot = Math.max(1, list.from()); // slot 0 stands for no session
    int until = Math.min(end, slot > end ? end : slot + MOST_LOOKED_AT);
    long setAfter = stamp.shardTimeOf(list.setAfterMillis());
    List<String> ids = new ArrayList<>();
    int skipped = 0;
    for (; slot < until && sessions != null && ids.size() < list.most(); slot++) {
      Session session = sessions.at(slot);
      if (session == null || !isListed(session, setAfter)) {
        continue;
      }
      if (skipped < list.skip()) {
        skipped++;
      } else {
        ids.add(session.id);
      }
    }
    boolean isAll = slot >= end || ids.size() == list.most();
    return Decision.telling(
        new Effect.SessionsListed(
            list.origin(), stamp.index(), list.ticket(), ids, skipped, isAll ? 0 : slot));
  }

  private static boolean isListed(Session session, long setAfterMillis) {
    boolean hasState = session.stateBodyId != 0;
    return setAfterMillis == Long.MAX_VALUE
        ? hasState || !session.available.isEmpty() || !session.locked.isEmpty()
        : hasState && session.stateSetAtMillis > setAfterMillis;
  }
}

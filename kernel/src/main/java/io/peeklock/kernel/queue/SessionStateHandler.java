package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.Stamp;
import java.util.ArrayList;
import java.util.List;

/** Reads and sets states of sessions (S-253 to S-258), and lists sessions (S-259, S-260). */
final class SessionStateHandler {

  private SessionStateHandler() {}

  static Decision decide(MachineState state, Stamp stamp, Request.GetSessionState get) {
    Session session =
        SessionHandler.held(state.queue(get.queue()), get.sessionId(), get.holder(), stamp);
    if (session == null) {
      return Refusals.whole(get.origin(), stamp, get.ticket(), 0, new Refusal.SessionLockLost());
    }
    return Decision.telling(
        new Effect.SessionStateRead(
            get.origin(), stamp.index(), get.ticket(), session.stateBodyId));
  }

  static Decision decide(MachineState state, Stamp stamp, Request.SetSessionState set) {
    int bodies = set.bytes() < 0 ? 0 : 1;
    QueueState queue = state.queue(set.queue());
    Session session = SessionHandler.held(queue, set.sessionId(), set.holder(), stamp);
    if (queue == null || session == null) {
      return Refusals.whole(
          set.origin(), stamp, set.ticket(), bodies, new Refusal.SessionLockLost());
    }
    if (bodies > 0 && session.stateBodyId == 0 && !roomForOne(queue)) {
      return Refusals.whole(
          set.origin(),
          stamp,
          set.ticket(),
          bodies,
          new Refusal.TooManySessionStates(SessionTable.MOST_STATES));
    }
    long max = queue.definition().maxSizeBytes();
    long bytes = queue.quotaBytes() - session.stateBytes;
    if (set.bytes() > max - bytes) { // S-256
      return Refusals.whole(
          set.origin(), stamp, set.ticket(), bodies, new Refusal.QuotaExceeded(bytes, max));
    }
    Draft draft = new Draft();
    if (bodies > 0 || session.stateBodyId != 0) {
      draft.add(
          new Fact.SessionStateSet(
              queue.id(),
              session.id,
              bodies == 0 ? 0 : state.nextBodyId,
              Math.max(0, set.bytes()),
              stamp.nowMillis()));
    }
    return draft
        .add(new Effect.SessionStateStored(set.origin(), stamp.index(), set.ticket()))
        .done();
  }

  private static boolean roomForOne(QueueState queue) {
    SessionTable sessions = queue.sessions();
    return sessions != null && sessions.hasRoomForState();
  }

  static Decision decide(MachineState state, Stamp stamp, Request.ListSessions list) {
    QueueState queue = state.queue(list.queue());
    SessionTable sessions = queue == null ? null : queue.sessions();
    List<String> ids = new ArrayList<>();
    int skip = list.skip();
    for (int slot = 1; sessions != null && slot < sessions.slotsEnd(); slot++) {
      Session session = sessions.at(slot);
      if (session != null && isListed(session, list.setAfterMillis()) && skip-- <= 0) {
        ids.add(session.id);
        if (ids.size() == list.most()) {
          break;
        }
      }
    }
    return Decision.telling(
        new Effect.SessionsListed(list.origin(), stamp.index(), list.ticket(), ids));
  }

  private static boolean isListed(Session session, long setAfterMillis) {
    boolean hasState = session.stateBodyId != 0;
    return setAfterMillis == Long.MAX_VALUE
        ? hasState || !session.available.isEmpty() || !session.locked.isEmpty()
        : hasState && session.stateSetAtMillis > setAfterMillis;
  }
}

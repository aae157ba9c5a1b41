package io.peeklock.kernel.snapshot;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The session states of one queue for a snapshot: each is written when the snapshot reaches it, or
 * just before it changes.
 */
final class SessionStates {

  private static final int SLOTS_PER_STEP = 1_024;

  private final QueueId queue;
  private final SessionTable sessions;
  private final int snapshot;
  private final int slotsEnd;
  private int next = 1;

  SessionStates(QueueId queue, SessionTable sessions, int snapshot) {
    this.queue = queue;
    this.sessions = sessions;
    this.snapshot = snapshot;
    this.slotsEnd = sessions.slotsEnd();
    sessions.snapshot = snapshot;
  }

  /** Adds the next few states, and returns whether there are more. */
  boolean next(List<Fact> facts) {
    List<Session> some = new ArrayList<>();
    int until = Math.min(slotsEnd, next + SLOTS_PER_STEP);
    for (; next < until; next++) {
      Session session = sessions.at(next);
      if (session != null && isUnsaved(session)) {
        session.snapshot = snapshot;
        if (session.stateBodyId != 0) {
          some.add(session);
        }
      }
    }
    if (!some.isEmpty()) {
      facts.add(restored(some));
    }
    return next < slotsEnd;
  }

  void beforeChange(String sessionId, List<Fact> facts) {
    Session session = sessions.byId(sessionId);
    if (session != null && isUnsaved(session)) {
      session.snapshot = snapshot;
      if (session.stateBodyId != 0) {
        facts.add(restored(List.of(session)));
      }
    }
  }

  private boolean isUnsaved(Session session) {
    return session.snapshot != snapshot;
  }

  private Fact restored(List<Session> some) {
    int count = some.size();
    String[] ids = new String[count];
    long[] bodyIds = new long[count];
    int[] sizes = new int[count];
    long[] setAt = new long[count];
    for (int i = 0; i < count; i++) {
      ids[i] = some.get(i).id;
      bodyIds[i] = some.get(i).stateBodyId;
      sizes[i] = some.get(i).stateBytes;
      setAt[i] = some.get(i).stateSetAtMillis;
    }
    return new Fact.SessionStatesRestored(queue, ids, bodyIds, sizes, setAt);
  }
}

package io.peeklock.amqp.transaction;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.SessionIds;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.BodyArena;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The states of sessions that one transaction sets at its commit (S-525). */
final class TransactedStates {
  private final Map<SessionName, Change> changes = new LinkedHashMap<>();

  /**
   * Which session, its id as sessions are told apart. They compare, so that names with the same
   * hash, which a client can choose, are found in a tree.
   */
  private record SessionName(QueueId queue, String sessionId) implements Comparable<SessionName> {
    @Override
    public int compareTo(SessionName other) {
      var byQueue = Integer.compare(queue.number(), other.queue.number());
      return byQueue == 0 ? sessionId.compareTo(other.sessionId) : byQueue;
    }
  }

  /**
   * What a state is to be.
   *
   * @param state null to clear it
   */
  record Change(Request.SetSessionState set, byte @Nullable [] state) {
    /** The same request, for somebody else to hear of. */
    Request.SetSessionState with(Ticket ticket) {
      return new Request.SetSessionState(
          set.origin(), ticket, set.queue(), set.sessionId(), set.holder(), set.bytes());
    }
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** Sets a state at the commit; the last one of a session counts. */
  void put(Change change) {
    var session = SessionIds.folded(change.set().sessionId());
    changes.put(new SessionName(change.set().queue(), session), change);
  }

  /** As parts of a commit. */
  List<Request.SetSessionState> requests() {
    return changes.values().stream()
        .map(change -> change.with(UnansweredTicket.PART_OF_COMMIT))
        .toList();
  }

  /** Stages the bodies, in the order of {@link #requests}. */
  void stage(BodyArena arena) {
    for (var change : changes.values()) {
      var state = change.state();
      if (state != null) {
        TransactedSends.stage(arena, state);
      }
    }
  }

  /** There are none any more. */
  void clear() {
    changes.clear();
  }
}

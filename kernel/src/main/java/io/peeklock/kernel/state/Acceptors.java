package io.peeklock.kernel.state;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.state.SessionTable.Acceptor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The acceptors that wait for any session of a queue (S-239), in order of arrival and by deadline;
 * the first deadline is read at every change of the queue.
 */
public final class Acceptors {
  private final Map<Origin, Acceptor> waiting = new LinkedHashMap<>();
  private final TreeMap<Long, Map<Origin, Acceptor>> byDeadline = new TreeMap<>();

  /** Adds an acceptor at the end, in place of an earlier one of the same origin. */
  public void add(Acceptor acceptor) {
    remove(acceptor.origin());
    waiting.put(acceptor.origin(), acceptor);
    byDeadline
        .computeIfAbsent(acceptor.deadlineMillis(), ignored -> new LinkedHashMap<>(2))
        .put(acceptor.origin(), acceptor);
  }

  /** Removes the acceptor of this origin, if there is one. */
  public void remove(Origin origin) {
    Acceptor gone = waiting.remove(origin);
    if (gone != null) {
      byDeadline.computeIfPresent(
          gone.deadlineMillis(),
          (ignored, equals) -> {
            equals.remove(origin);
            return equals.isEmpty() ? null : equals;
          });
    }
  }

  /** All acceptors in order of arrival. */
  public Iterable<Acceptor> all() {
    return waiting.values();
  }

  /** The acceptor of this origin, which must exist. */
  public Acceptor of(Origin origin) {
    return Invariant.present(waiting.get(origin), "who waits is known");
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The first deadline, {@link Long#MAX_VALUE} for none. */
  long firstDeadline() {
    return byDeadline.isEmpty() ? Long.MAX_VALUE : byDeadline.firstKey();
  }

  /** The acceptors whose wait is over, at most {@code most}, earliest deadline first. */
  public List<Acceptor> due(long monotonicMillis, int most) {
    List<Acceptor> due = new ArrayList<>();
    for (Map<Origin, Acceptor> equals : byDeadline.headMap(monotonicMillis, true).values()) {
      for (Acceptor acceptor : equals.values()) {
        if (due.size() == most) {
          return due;
        }
        due.add(acceptor);
      }
    }
    return due;
  }
}

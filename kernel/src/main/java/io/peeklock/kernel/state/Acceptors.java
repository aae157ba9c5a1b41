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
 * Those who wait for any session of a queue (S-239): in the order in which they came, and by when
 * they have waited enough, which is asked for at every change of the queue.
 */
public final class Acceptors {
  private final Map<Origin, Acceptor> waiting = new LinkedHashMap<>();
  private final TreeMap<Long, Map<Origin, Acceptor>> byDeadline = new TreeMap<>();

  public void add(Acceptor acceptor) {
    remove(acceptor.origin());
    waiting.put(acceptor.origin(), acceptor);
    byDeadline
        .computeIfAbsent(acceptor.deadlineMillis(), ignored -> new LinkedHashMap<>(2))
        .put(acceptor.origin(), acceptor);
  }

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

  /** All, the one first that came first. */
  public Iterable<Acceptor> all() {
    return waiting.values();
  }

  /** The one of this origin, which must be there. */
  public Acceptor of(Origin origin) {
    return Invariant.present(waiting.get(origin), "who waits is known");
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** When the first has waited enough, {@link Long#MAX_VALUE} for never. */
  long firstDeadline() {
    return byDeadline.isEmpty() ? Long.MAX_VALUE : byDeadline.firstKey();
  }

  /** Those that have waited enough, at most so many, the earliest deadline first. */
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

package io.peeklock.kernel.state;

import io.peeklock.kernel.grant.Grant.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of work without a request, the one whose turn was longest ago first. So no kind waits
 * until another is finished. Volatile.
 */
public final class WorkTurns {

  private final List<Work> line = new ArrayList<>(List.of(Work.values()));

  /** The first kind that has work; null for none. */
  public @Nullable Work first(Predicate<Work> hasSomething) {
    for (Work work : line) {
      if (hasSomething.test(work)) {
        return work;
      }
    }
    return null;
  }

  /** Moves a kind to the end after its turn. */
  public void had(Work work) {
    line.remove(work);
    line.add(work);
  }
}

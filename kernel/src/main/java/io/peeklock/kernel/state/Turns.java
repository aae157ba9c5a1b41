package io.peeklock.kernel.state;

import io.peeklock.kernel.grant.Grant.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of work that nobody asks for now, the one first that had its turn longest ago. So none
 * of them waits for all of another, however much of that there is and whatever comes to it.
 * Volatile.
 */
public final class Turns {

  private final List<Work> line = new ArrayList<>(List.of(Work.values()));

  /** The first of these that has something to do; null for none. */
  public @Nullable Work first(Predicate<Work> hasSomething) {
    for (Work work : line) {
      if (hasSomething.test(work)) {
        return work;
      }
    }
    return null;
  }

  public void had(Work work) {
    line.remove(work);
    line.add(work);
  }
}

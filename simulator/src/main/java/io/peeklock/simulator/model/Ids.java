package io.peeklock.simulator.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The message ids that an entity saw, for duplicate detection. */
final class Ids {
  private final List<Seen> history = new ArrayList<>();

  /** Whether a message is a duplicate. */
  enum Verdict {
    NEW,
    UNCLEAR,
    DUPLICATE
  }

  private record Seen(String id, long from, long to, long window, boolean sure) {}

  /** The id alone counts (S-269), and a message without one never is a duplicate (S-281). */
  Verdict judge(@Nullable String id, long from, long to) {
    Verdict verdict = Verdict.NEW;
    for (Seen seen : history) {
      if (id == null || !seen.id.equals(id)) {
        continue;
      }
      if (seen.sure && to - seen.from < seen.window) {
        return Verdict.DUPLICATE;
      }
      if (from - seen.to <= seen.window) {
        verdict = Verdict.UNCLEAR;
      }
    }
    return verdict;
  }

  /** The window of the time when it came applies (S-282). */
  void remember(@Nullable String id, long from, long to, long window, boolean sure) {
    if (id != null && window > 0) {
      history.add(new Seen(id, from, to, window, sure));
    }
  }
}

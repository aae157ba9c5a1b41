package io.peeklock.simulator.model;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Message ids that an entity remembers (S-266 to S-282). */
final class Duplicates {
  /** By when a message that was sent without an answer has come. */
  static final long LATE_MILLIS = 30_000;

  private final Map<String, Seen> ids = new HashMap<>();

  /** Whether something is so. */
  enum Likelihood {
    YES,
    PERHAPS,
    NO
  }

  /**
   * When an id came, and how long it is remembered.
   *
   * @param surely the last time that it certainly was stored; -1 for never
   * @param perhaps the last time that it may have come
   */
  private record Seen(long surely, long perhaps, long window) {
    Likelihood at(Moment now) {
      if (now.earliest() - perhaps > window) {
        return Likelihood.NO;
      }
      return surely >= 0 && now.latest() - surely < window ? Likelihood.YES : Likelihood.PERHAPS;
    }
  }

  /** Whether a message of this id is dropped, which comes now; it is remembered from now on. */
  Likelihood take(@Nullable String id, Moment now, long window, boolean isCertain) {
    if (id == null || window == 0) {
      return Likelihood.NO; // S-281
    }
    var before = ids.get(id);
    var is = before == null ? Likelihood.NO : before.at(now);
    var isStored = isCertain && is == Likelihood.NO;
    var latest = now.latest() == State.FOREVER ? now.earliest() + LATE_MILLIS : now.latest();
    var until = before == null ? latest : Math.max(before.perhaps, latest);
    ids.put(
        id,
        new Seen(isStored ? now.earliest() : before == null ? -1 : before.surely, until, window));
    return is;
  }
}

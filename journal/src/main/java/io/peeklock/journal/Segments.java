package io.peeklock.journal;

import io.peeklock.kernel.Invariant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of the log, oldest first; the last one is open. The home's. */
final class Segments {
  private final List<Segment> segments = new ArrayList<>();

  boolean isEmpty() {
    return segments.isEmpty();
  }

  Segment open() {
    return segments.get(segments.size() - 1);
  }

  void add(Segment segment) {
    segments.add(segment);
  }

  /** The one that a body lies in, or null when its segment is gone. */
  @Nullable Segment of(long bodyId) {
    var low = 0;
    var high = segments.size() - 1;
    if (high < 0 || bodyId < segments.get(0).firstBodyId) {
      return null;
    }
    while (low < high) {
      var middle = (low + high + 1) >>> 1;
      if (segments.get(middle).firstBodyId <= bodyId) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return segments.get(low);
  }

  /** The first body id above those that can lie in a segment. */
  long endOf(Segment segment) {
    var next = segments.indexOf(segment) + 1;
    return next < segments.size() ? segments.get(next).firstBodyId : Long.MAX_VALUE;
  }

  /**
   * Takes the oldest segment out when nothing needs it: no body in it is alive, nobody reads it,
   * and the next one, which describes the namespace anew, is durable. Null when it must stay.
   */
  @Nullable Segment takeRemovable(long durableIndex) {
    if (segments.size() < 2) {
      return null;
    }
    var oldest = segments.get(0);
    Invariant.check(oldest.live >= 0, "a body dies once");
    if (oldest.live > 0 || oldest.pins > 0 || segments.get(1).firstIndex > durableIndex) {
      return null;
    }
    return segments.remove(0);
  }
}

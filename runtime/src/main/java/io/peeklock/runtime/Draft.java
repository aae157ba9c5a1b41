package io.peeklock.runtime;

import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Stamp;
import java.util.ArrayList;
import java.util.List;

/** What one drain of the shard has decided so far; becomes one batch. */
final class Draft {
  final Stamp stamp;
  final boolean startsSegment;
  final long firstBodyId;
  final List<Fact> facts = new ArrayList<>();
  final List<StagedBodies> bodies = new ArrayList<>();
  final List<Effect> effects = new ArrayList<>();
  long bodyBytes;

  /**
   * Begins one.
   *
   * @param opening facts that describe the namespace, when this batch starts a segment; else empty
   */
  Draft(Stamp stamp, List<Fact> opening, long firstBodyId) {
    this.stamp = stamp;
    this.startsSegment = !opening.isEmpty();
    this.firstBodyId = firstBodyId;
    facts.addAll(opening);
  }

  void keep(StagedBodies staged) {
    bodies.add(staged);
    bodyBytes += staged.bytes();
  }
}

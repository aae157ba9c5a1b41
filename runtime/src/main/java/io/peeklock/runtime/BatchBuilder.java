package io.peeklock.runtime;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.request.Stamp;
import java.util.ArrayList;
import java.util.List;

/** Collects the decisions of one drain of the shard for one batch. */
final class BatchBuilder {
  final Stamp stamp;
  final long firstBodyId;
  final List<Fact> facts = new ArrayList<>();
  final List<StagedBodies> bodies = new ArrayList<>();
  final List<Effect> effects = new ArrayList<>();
  long bodyBytes;

  BatchBuilder(Stamp stamp, long firstBodyId) {
    this.stamp = stamp;
    this.firstBodyId = firstBodyId;
  }

  void keep(StagedBodies staged) {
    bodies.add(staged);
    bodyBytes += staged.bytes();
  }

  /** The batch, after its predecessor. */
  Batch batch(long term, long predecessor, long[] deadBodies) {
    return new Batch(
        term,
        stamp.index(),
        predecessor,
        stamp.nowMillis(),
        facts,
        firstBodyId,
        bodies,
        deadBodies);
  }

  /** Keeps as many of the staged bodies as the facts took body ids. */
  void settle(Decision decision, StagedBodies staged, long taken) {
    if (taken == 0) {
      staged.release();
      return;
    }
    if (decision.keptBodies() != null) {
      staged.keepOnly(decision.keptBodies());
    }
    if (staged.count() != taken) {
      throw new IllegalStateException(
          "facts name " + taken + " bodies, " + staged.count() + " are staged");
    }
    keep(staged);
  }
}

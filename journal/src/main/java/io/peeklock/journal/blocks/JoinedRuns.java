package io.peeklock.journal.blocks;

import io.peeklock.runtime.StagedBodies;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins the many runs of a batch into few. A client that sends to many queues in turn stages one
 * body at a time, and a run for each takes more memory than the body, a search for each fetch and
 * removal, and a separate piece when it is written. Only neighbours are joined, and only up to a
 * size, because a run stays in memory with its blocks until its last body dies.
 */
public final class JoinedRuns {
  /** The most bytes of bodies of a joined run. */
  static final long MOST_BYTES = 128 << 10;

  /** The most bodies of a joined run, as one of them alone can keep the heap of the run. */
  static final int MOST_BODIES = 64;

  private final List<BodyRun> runs = new ArrayList<>();
  private final List<BodyRun> next = new ArrayList<>();
  private int bodies;
  private long bytes;

  private JoinedRuns() {}

  /** Takes over runs and joins them, in their order, without empty ones. */
  public static List<BodyRun> of(List<StagedBodies> staged) {
    var joined = new JoinedRuns();
    for (var each : staged) {
      joined.add((BodyRun) each);
    }
    joined.join();
    return joined.runs;
  }

  private void add(BodyRun run) {
    if (run.count() == 0) {
      run.release();
      return;
    }
    var runBytes = run.bytes();
    if (run.hasLarges() || bodies + run.count() > MOST_BODIES || bytes + runBytes > MOST_BYTES) {
      join();
    }
    next.add(run);
    bodies += run.count();
    bytes += runBytes;
    if (run.hasLarges()) {
      join();
    }
  }

  private void join() {
    if (!next.isEmpty()) {
      runs.add(next.size() == 1 ? next.get(0) : BodyRun.joined(next, bodies));
      next.clear();
      bodies = 0;
      bytes = 0;
    }
  }
}

package io.peeklock.journal.blocks;

import io.peeklock.runtime.StagedBodies;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes few runs of the many of a batch. Who sends to many queues in turn stages a body at a time,
 * and a run for each takes more memory than its body, a search of its own when it is fetched and
 * when it dies, and a piece of its own when it is written. Joined are neighbours, as they come, and
 * only up to a size, because a run stays in memory, with its blocks, until its last body dies.
 */
public final class JoinedRuns {
  /** Runs are joined up to so many bytes of bodies. */
  static final long MOST_BYTES = 128 << 10;

  /** And up to so many bodies: what a run takes of the heap may stay for one of them alone. */
  static final int MOST_BODIES = 64;

  private final List<BodyRun> runs = new ArrayList<>();
  private final List<BodyRun> next = new ArrayList<>();
  private int bodies;
  private long bytes;

  private JoinedRuns() {}

  /** Takes runs of bodies over; in their order, and those that have none are gone. */
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

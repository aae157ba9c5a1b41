package io.peeklock.journal;

import org.jspecify.annotations.Nullable;

/**
 * Keeps a few old bodies from holding all memory: when more than half of it is taken, living bodies
 * move out of blocks that are mostly dead, a little at each step. The home's.
 */
final class Compaction {
  private static final int RUNS_PER_STEP = 64;

  /** And no more once so many bytes have moved. */
  private static final long MOST_BYTES = 1 << 20;

  private static final int SPARSE = 4;

  private final ResidentBodies resident;
  private final BlockPool pool;
  private final Arena to;
  private final long boundBytes;
  private @Nullable BodyRun next;

  Compaction(ResidentBodies resident, BlockPool pool, Arena to, long boundBytes) {
    this.resident = resident;
    this.pool = pool;
    this.to = to;
    this.boundBytes = boundBytes;
  }

  /** Looks at the next few runs, from old to young and around again. */
  void step() {
    if (pool.heldBytes() <= boundBytes / 2) {
      return;
    }
    var bytes = 0L;
    for (var i = 0; i < RUNS_PER_STEP && bytes < MOST_BYTES; i++) {
      var run = next;
      if (run == null || !run.resident) {
        run = resident.oldest();
      }
      if (run == null) {
        return;
      }
      next = run.newer;
      if (isSparse(run)) {
        var moved = run.movedTo(to);
        bytes += moved.bytes();
        resident.remove(run);
        resident.add(moved);
      }
    }
  }

  private static boolean isSparse(BodyRun run) {
    for (var block : run.blocks()) {
      if (block.liveBytes * SPARSE < block.capacity()) {
        return true;
      }
    }
    return false;
  }
}

package io.peeklock.journal.memory;

import io.peeklock.journal.blocks.Arena;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.blocks.ResidentBodies;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.thread.ShardThread;
import org.slf4j.LoggerFactory;

/**
 * Prevents a few old bodies from holding memory: when more than half of it is taken, or far more
 * than the living bodies need, living bodies are moved out of mostly dead blocks, a part in each
 * step.
 *
 * <p>It works in rounds, from old to young. After a round without gain it rests until enough bodies
 * have died to make another worthwhile. So checking costs a small part of the work that makes
 * bodies die, and at most a third of the dead bytes are copied.
 */
@ShardThread
final class Compaction {
  private static final RateLimitedLog REFUSALS =
      new RateLimitedLog(LoggerFactory.getLogger(Compaction.class));

  private static final int RUNS_PER_STEP = 64;

  /** The moved bytes that end a step, which are copied in a quarter of a millisecond. */
  private static final long MOST_BYTES = 1 << 20;

  /** The bodies checked one by one that end a step. */
  private static final int MOST_BODIES = 8 << 10;

  /** The ratio of memory to living bytes that is too much. */
  private static final int SPARSE = 4;

  /** The memory that may always stay: a block for each of some arenas. */
  private static final long LITTLE_BYTES = 16L * BlockPool.BLOCK_BYTES;

  private static final int LITTLE_PART = 8;

  /** The part of the held memory that must die before the next round. */
  private static final int DEAD_PART = 16;

  private final ResidentBodies resident;
  private final BlockPool pool;
  private final Arena to;
  private final long boundBytes;
  private final long littleBytes;
  private boolean resting = true;
  private boolean hasMoved;
  private long diedBefore;
  private long heldBefore;
  private long movedBytes;
  private int lookedAt;

  /** The runs left of this round; runs that it moves to the end wait for the next one. */
  private int left;

  Compaction(ResidentBodies resident, BlockPool pool, Arena to, long boundBytes) {
    this.resident = resident;
    this.pool = pool;
    this.to = to;
    this.boundBytes = boundBytes;
    this.littleBytes = Math.min(LITTLE_BYTES, boundBytes / LITTLE_PART);
  }

  /**
   * Checks the next few runs.
   *
   * @return whether there is more to do even if nothing else dies
   */
  boolean step() {
    if (!isWanted() || (resting && !isRested())) {
      return false;
    }
    if (resting) {
      begin();
    }
    movedBytes = 0;
    lookedAt = 0;
    for (var i = 0; i < RUNS_PER_STEP && movedBytes < MOST_BYTES && lookedAt < MOST_BODIES; i++) {
      var run = left-- > 0 ? resident.next() : null;
      if (run == null) {
        return endRound();
      }
      if (isSparse(run) && !move(run)) {
        return false;
      }
    }
    return true;
  }

  private boolean isWanted() {
    var held = resident.bytes();
    return pool.heldBytes() > boundBytes / 2
        || (held > littleBytes && held > SPARSE * resident.liveBytes());
  }

  private boolean isRested() {
    var enough = Math.max(BlockPool.BLOCK_BYTES, resident.bytes() / DEAD_PART);
    return resident.diedBytes() - diedBefore >= enough;
  }

  private void begin() {
    resting = false;
    hasMoved = false;
    diedBefore = resident.diedBytes();
    heldBefore = resident.bytes();
    resident.rewind();
    left = resident.runs();
  }

  /** Ends a round; moved runs may have left others sparse. */
  private boolean endRound() {
    resting = !hasMoved || resident.bytes() >= heldBefore;
    if (!resting) {
      begin();
    }
    return !resting;
  }

  /** Moves a run, and returns whether there was memory for it; otherwise the run stays. */
  private boolean move(BodyRun run) {
    BodyRun moved;
    try {
      moved = run.movedTo(to);
    } catch (OutOfMemoryError full) { // of direct memory, thrown by Java code
      REFUSALS.warn("There is no memory to tidy up in: {}", String.valueOf(full.getMessage()));
      resting = true;
      return false;
    }
    hasMoved = true;
    movedBytes += moved.liveBytes();
    resident.remove(run);
    resident.add(moved);
    return true;
  }

  /**
   * Whether a run keeps far more memory than its living bodies need, on average over its blocks.
   */
  private boolean isSparse(BodyRun run) {
    if (!hasSparseBlock(run)) {
      return false;
    }
    lookedAt += run.count();
    return run.keptBytes() > SPARSE * run.liveBytes();
  }

  /** Whether any of its blocks is sparse, without checking each body. */
  private static boolean hasSparseBlock(BodyRun run) {
    for (var block : run.blocks()) {
      if (block.isFilled() && block.liveBytes * SPARSE < block.capacity()) {
        return true;
      }
    }
    return false;
  }
}

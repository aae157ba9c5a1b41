package io.peeklock.journal.memory;

import io.peeklock.journal.blocks.Arena;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.blocks.ResidentBodies;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.thread.ShardThread;
import org.slf4j.LoggerFactory;

/**
 * Keeps a few old bodies from holding memory: when more than half of it is taken, or far more than
 * lives, living bodies move out of blocks that are mostly dead, a little at each step.
 *
 * <p>It goes around, from old to young. When a round gained nothing it rests until enough has died
 * for another one to be worth it. So the looks are a small part of the work of those who let bodies
 * die, and so is what is copied: at most a third of what died.
 */
@ShardThread
final class Compaction {
  private static final RateLimitedLog REFUSALS =
      new RateLimitedLog(LoggerFactory.getLogger(Compaction.class));

  private static final int RUNS_PER_STEP = 64;

  /** And no more once so many bytes have moved: copied in a quarter of a millisecond. */
  private static final long MOST_BYTES = 1 << 20;

  /** And no more once so many bodies were looked at one by one. */
  private static final int MOST_BODIES = 8 << 10;

  /** So many times as much memory as lives in it is too much. */
  private static final int SPARSE = 4;

  /** What may stay in any case: a block for each of some arenas. */
  private static final long LITTLE_BYTES = 16L * BlockPool.BLOCK_BYTES;

  private static final int LITTLE_PART = 8;

  /** This part of what is held is to die before it is looked at again. */
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

  /**
   * So many runs are left of a round: what moved in it, to the end, is looked at in the next one.
   */
  private int left;

  Compaction(ResidentBodies resident, BlockPool pool, Arena to, long boundBytes) {
    this.resident = resident;
    this.pool = pool;
    this.to = to;
    this.boundBytes = boundBytes;
    this.littleBytes = Math.min(LITTLE_BYTES, boundBytes / LITTLE_PART);
  }

  /**
   * Looks at the next few runs.
   *
   * @return whether there is more to do although nothing else dies
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

  /** What moved may have left others sparse. */
  private boolean endRound() {
    resting = !hasMoved || resident.bytes() >= heldBefore;
    if (!resting) {
      begin();
    }
    return !resting;
  }

  /** Whether there was memory to move it to. What is there stays as it is where there was none. */
  private boolean move(BodyRun run) {
    BodyRun moved;
    try {
      moved = run.movedTo(to);
    } catch (OutOfMemoryError full) { // of direct memory, which Java code throws
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
   * Whether it keeps far more than lives of it: dense blocks that it has too make up for others.
   */
  private boolean isSparse(BodyRun run) {
    if (!hasSparseBlock(run)) {
      return false;
    }
    lookedAt += run.count();
    return run.keptBytes() > SPARSE * run.liveBytes();
  }

  /** Without a look at each body. */
  private static boolean hasSparseBlock(BodyRun run) {
    for (var block : run.blocks()) {
      if (block.isFilled() && block.liveBytes * SPARSE < block.capacity()) {
        return true;
      }
    }
    return false;
  }
}

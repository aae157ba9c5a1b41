package io.peeklock.journal.bodies;

import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.runtime.thread.ShardThread;

/**
 * Decides how far to read ahead. A miss right after the last read means that a backlog is being
 * drained: each doubles the distance, up to 4 MiB or a quarter of the resident memory, so that it
 * never evicts what was just read; any other miss ends the read-ahead.
 */
@ShardThread
final class BodyReadAhead {
  private static final int MOST_BLOCKS = 16;
  private static final int NEAR = 256;

  private final int most;
  private long next;
  private int blocks;
  private int left;

  BodyReadAhead(long residentBytes) {
    this.most = (int) Math.min(MOST_BLOCKS, residentBytes / 4 / BlockPool.BLOCK_BYTES);
  }

  /** Notes a body that a fetch waits for and that is not in memory. */
  void missed(long bodyId) {
    var sequential = bodyId >= next && bodyId < next + NEAR;
    blocks = sequential ? Math.min(Math.max(1, blocks * 2), most) : 0;
    left = blocks;
  }

  /** Notes a read up to this body, exclusive. */
  void read(long nextBodyId) {
    next = nextBodyId;
  }

  /** Whether to read one more block ahead. */
  boolean isWanted() {
    return left > 0;
  }

  /** The body to read ahead from; counts one block. */
  long next() {
    left--;
    return next;
  }

  /** Ends the read-ahead. */
  void end() {
    left = 0;
  }
}

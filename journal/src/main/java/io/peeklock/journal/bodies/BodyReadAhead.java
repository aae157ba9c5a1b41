package io.peeklock.journal.bodies;

import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.runtime.thread.ShardThread;

/**
 * Guesses how far to read beyond what was asked for. A miss right behind the last read means that a
 * backlog is being drained: each doubles the distance, up to 4 MiB or a quarter of what may be
 * resident, so that it never pushes out what it just read; any other miss ends the guessing.
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

  /** A body that somebody waits for is not in memory. */
  void missed(long bodyId) {
    var sequential = bodyId >= next && bodyId < next + NEAR;
    blocks = sequential ? Math.min(Math.max(1, blocks * 2), most) : 0;
    left = blocks;
  }

  /** Something was read up to, and without, this body. */
  void read(long nextBodyId) {
    next = nextBodyId;
  }

  /** Whether to read on, one block. */
  boolean isWanted() {
    return left > 0;
  }

  /** Where to read on; uses up one block. */
  long next() {
    left--;
    return next;
  }

  /** Nothing more lies ahead. */
  void end() {
    left = 0;
  }
}

package io.peeklock.journal.segment;

import io.peeklock.runtime.thread.ShardThread;

/**
 * How far the kept checkpoints reach. Checkpoints of one run of the broker have ordinals that count
 * up; each names locations that were valid at some moment after it began.
 */
@ShardThread
public final class CheckpointRetention {
  /** The ordinal of the newest checkpoint that was begun. */
  public long begun;

  /** The ordinal of the older kept checkpoint, while two are kept; else 0. */
  public long olderOrdinal;

  /**
   * The index up to which the older one covers the log; 0 while there are not two, so that the log
   * must stay.
   */
  public long olderIndex;

  /** Whether two are kept, so that the log is never read from its beginning. */
  public boolean hasTwo() {
    return olderOrdinal > 0;
  }

  /** Whether no checkpoint, kept or being written, names an outdated location in a file. */
  public boolean hasForgotten(BodyFile file) {
    return file.leftAt == 0 || file.leftAt < olderOrdinal;
  }

  /**
   * Notes that bodies were moved out of a file: checkpoints that are kept or being written may name
   * the old locations.
   */
  public void left(BodyFile file) {
    file.leftAt = begun;
  }
}

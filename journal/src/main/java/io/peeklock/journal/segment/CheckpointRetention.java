package io.peeklock.journal.segment;

import io.peeklock.runtime.thread.ShardThread;

/**
 * How far the kept checkpoints reach. Checkpoints of one run have ordinals that count up; one names
 * the places that held at some moment after it began.
 */
@ShardThread
public final class CheckpointRetention {
  /** Ordinal of the newest that was begun. */
  public long begun;

  /** Ordinal of the older one that is kept, while two are; else 0. */
  public long olderOrdinal;

  /** The older one covers the log up to here; 0 while there are not two: the log must do. */
  public long olderIndex;

  /** Whether two are kept, so that the log is never read from its beginning. */
  public boolean hasTwo() {
    return olderOrdinal > 0;
  }

  /** Whether no kept checkpoint, and none that is being written, names an old place in a file. */
  boolean hasForgotten(BodyFile file) {
    return file.leftAt == 0 || file.leftAt < olderOrdinal;
  }

  /** Bodies lie elsewhere now: what is kept, or being written, may still name the old places. */
  public void left(BodyFile file) {
    file.leftAt = begun;
  }
}

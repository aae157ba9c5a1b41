package io.peeklock.runtime.meter;

import io.peeklock.runtime.thread.LogThread;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a log did since it was opened. Its threads write, any may read. */
public final class LogMeter {
  /** The meter of a journal without a log. */
  public static final LogMeter NOTHING = new LogMeter();

  private final DurationMeter syncs = new DurationMeter();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final Attempts checkpoints = new Attempts();
  private final Attempts compactions = new Attempts();

  /** Counts runs of background work, which may fail. */
  private static final class Attempts {
    private final AtomicLong good = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong failedInARow = new AtomicLong();

    void ended(boolean isGood) {
      (isGood ? good : failed).incrementAndGet();
      if (isGood) {
        failedInARow.set(0);
      } else {
        failedInARow.incrementAndGet();
      }
    }
  }

  /** The syncs of groups of batches; each send waits for one. */
  public DurationMeter syncs() {
    return syncs;
  }

  /** The written bytes of batches and their bodies. */
  public long writtenBytes() {
    return writtenBytes.get();
  }

  /** The number of completed checkpoints. */
  public long checkpoints() {
    return checkpoints.good.get();
  }

  /** The number of failed checkpoints. */
  public long failedCheckpoints() {
    return checkpoints.failed.get();
  }

  /** The number of failed checkpoints since the last completed one. */
  public long failedCheckpointsInARow() {
    return checkpoints.failedInARow.get();
  }

  /** The number of completed compactions of mostly dead files. */
  public long compactions() {
    return compactions.good.get();
  }

  /** The number of failed compactions. */
  public long failedCompactions() {
    return compactions.failed.get();
  }

  /**
   * The number of failed compactions since the last completed one, or since there was nothing to
   * do.
   */
  public long failedCompactionsInARow() {
    return compactions.failedInARow.get();
  }

  /** Counts the sync of a group of batches. */
  @LogThread
  public void synced(long bytes, long tookNanos) {
    syncs.add(tookNanos);
    writtenBytes.lazySet(writtenBytes.getPlain() + bytes);
  }

  /** Counts the end of a checkpoint. Called on the shard's thread. */
  public void checkpointEnded(boolean counts) {
    checkpoints.ended(counts);
  }

  /** Counts the end of a compaction. Called on the shard's thread. */
  public void compactionEnded(boolean isGood) {
    compactions.ended(isGood);
  }

  /** Resets the failures in a row, as there is nothing to compact. Called on the shard's thread. */
  public void nothingToCompact() {
    compactions.failedInARow.set(0);
  }
}

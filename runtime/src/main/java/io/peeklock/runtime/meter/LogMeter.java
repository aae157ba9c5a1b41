package io.peeklock.runtime.meter;

import io.peeklock.runtime.thread.LogThread;
import java.util.concurrent.atomic.AtomicLong;

/** What a log did since it was opened. Its threads write, any may read. */
public final class LogMeter {
  /** Of one that has no log. */
  public static final LogMeter NOTHING = new LogMeter();

  private final DurationMeter syncs = new DurationMeter();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final Attempts checkpoints = new Attempts();
  private final Attempts compactions = new Attempts();

  /** How often something was tried that may fail, since nobody waits for it. */
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

  /** Syncs of groups of batches: each send waits for one. The log's thread adds. */
  public DurationMeter syncs() {
    return syncs;
  }

  /** Bytes of batches and their bodies. */
  public long writtenBytes() {
    return writtenBytes.get();
  }

  /** Checkpoints that count. */
  public long checkpoints() {
    return checkpoints.good.get();
  }

  /** Checkpoints that came to nothing. */
  public long failedCheckpoints() {
    return checkpoints.failed.get();
  }

  /** Checkpoints that came to nothing since the last one that counts. */
  public long failedCheckpointsInARow() {
    return checkpoints.failedInARow.get();
  }

  /** Runs that copied what lives out of mostly dead files. */
  public long compactions() {
    return compactions.good.get();
  }

  /** Such runs that came to nothing. */
  public long failedCompactions() {
    return compactions.failed.get();
  }

  /** Such runs that came to nothing since the last good one, or since there was nothing to do. */
  public long failedCompactionsInARow() {
    return compactions.failedInARow.get();
  }

  /** A group is durable. */
  @LogThread
  public void synced(long bytes, long tookNanos) {
    syncs.add(tookNanos);
    writtenBytes.lazySet(writtenBytes.getPlain() + bytes);
  }

  /** A checkpoint ended. The shard's thread. */
  public void checkpointEnded(boolean counts) {
    checkpoints.ended(counts);
  }

  /** A run of compaction ended. The shard's thread. */
  public void compactionEnded(boolean isGood) {
    compactions.ended(isGood);
  }

  /** There is nothing to compact any more, so that no failure matters. The shard's thread. */
  public void nothingToCompact() {
    compactions.failedInARow.set(0);
  }
}

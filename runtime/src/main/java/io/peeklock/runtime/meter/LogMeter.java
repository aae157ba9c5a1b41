package io.peeklock.runtime.meter;

import java.util.concurrent.atomic.AtomicLong;

/** What a log did since it was opened. Its threads write, any may read. */
public final class LogMeter {
  /** Of one that has no log. */
  public static final LogMeter NOTHING = new LogMeter();

  private final DurationMeter syncs = new DurationMeter();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final AtomicLong checkpoints = new AtomicLong();
  private final AtomicLong failedCheckpoints = new AtomicLong();

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
    return checkpoints.get();
  }

  /** Checkpoints that came to nothing. */
  public long failedCheckpoints() {
    return failedCheckpoints.get();
  }

  /** A group is durable. The log's thread. */
  public void synced(long bytes, long tookNanos) {
    syncs.add(tookNanos);
    writtenBytes.lazySet(writtenBytes.getPlain() + bytes);
  }

  /** A checkpoint ended. The home. */
  public void checkpointEnded(boolean counts) {
    (counts ? checkpoints : failedCheckpoints).incrementAndGet();
  }
}

package io.peeklock.journal.checkpoint;

import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.bodies.BodyStore;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.journal.segment.CheckpointRetention;
import io.peeklock.journal.segment.Usage;
import io.peeklock.runtime.meter.LogMeter;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a checkpoint is due and which are kept, and so from where the log must stay. The two
 * newest are kept, because the newest may turn out to be damaged.
 *
 * <p>A checkpoint is due when the log after the last one is long, so that a recovery stays short;
 * and earlier when the log takes too much space and checkpoints would free parts of it.
 */
@ShardThread
public final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final int KEPT = 2;
  private static final int INTERVALS_PER_SEGMENT = 4;

  /** The least ratio of log to checkpoint bytes for an early checkpoint. */
  private static final int LEAST_LOG_PER_CHECKPOINT = 4;

  /** The bytes of a body in a checkpoint, a high estimate of the average. */
  private static final long BODY_BYTES = 32;

  private static final long LEAST_GAIN_BYTES = 1 << 20;
  private static final long PAUSE_MILLIS = 30_000;

  private final Disk disk;
  private final JournalExecutors executors;
  private final Executor shardExecutor;
  private final BodyStore bodies;
  private final DiskSpace space;
  private final CheckpointRetention retention;
  private final LogMeter meter;
  private final LongSupplier salts;
  private final JournalSettings settings;
  private final ArrayDeque<Kept> kept = new ArrayDeque<>();
  private Runnable whenEnded = () -> {};
  private long bytesSince;
  private long newestBytes;
  private boolean wanted;
  private @Nullable CheckpointWriter writing;
  private Runnable wantStep = () -> {};
  private boolean failed;
  private long failedNanos;
  private int failures;

  private record Kept(long index, long ordinal) {}

  public Checkpoints(
      Disk disk,
      JournalExecutors executors,
      Executor shardExecutor,
      BodyStore bodies,
      DiskSpace space,
      LogMeter meter,
      LongSupplier salts,
      JournalSettings settings) {
    this.disk = disk;
    this.executors = executors;
    this.shardExecutor = shardExecutor;
    this.bodies = bodies;
    this.space = space;
    this.meter = meter;
    this.retention = bodies.retention();
    this.salts = salts;
    this.settings = settings;
  }

  /** Sets who is called when a checkpoint completes, fails, or is to be tried again. */
  public void whenEnded(Runnable told) {
    whenEnded = told;
  }

  /**
   * Notes the checkpoints that a recovery found, oldest first, and the bytes of log after the
   * newest.
   */
  public void recovered(List<Long> indexes, long bytesBehind) {
    for (var index : indexes) {
      kept.add(new Kept(index, ++retention.begun));
    }
    bytesSince = bytesBehind;
    keepSegments();
    if (!kept.isEmpty()) {
      bodies.keepForCheckpoints();
    }
  }

  /** Counts appended bytes. */
  public void appended(long bytes) {
    bytesSince += bytes;
  }

  /** The bytes of disk that are needed: living bodies, and a checkpoint. */
  public long liveBytes(Usage usage) {
    return usage.liveBytes() + newestBytes;
  }

  /**
   * Whether a checkpoint is wanted early, or for the space that it frees.
   *
   * @param isQuiet whether nothing is appended, so that no interval need pass
   */
  public boolean isWanted(boolean isQuiet) {
    wanted = writing == null && !isPausing() && (isOwed() || isWorthIt(isQuiet));
    return wanted || (writing == null && makesRoom());
  }

  /**
   * Whether a failed checkpoint is still to be made up for, without waiting for the log to grow.
   */
  private boolean isOwed() {
    return failed && space.takesSends();
  }

  private boolean isWorthIt(boolean isQuiet) {
    var usage = bodies.usage();
    var live = liveBytes(usage);
    var isTooMuch = usage.bytes() > Usage.enough(live, settings.segmentBytes());
    if (usage.leavingBytes() > 0) {
      return isTooMuch || isQuiet;
    }
    return isTooMuch
        && bodies.segments().hasUncovered()
        && (isQuiet || bytesSince >= intervalBytes(usage));
  }

  private long intervalBytes(Usage usage) {
    var share = settings.segmentBytes() / INTERVALS_PER_SEGMENT;
    return Math.max(
        Math.max(share, usage.liveBytes() / INTERVALS_PER_SEGMENT),
        LEAST_LOG_PER_CHECKPOINT * newestBytes);
  }

  /** Whether a checkpoint needs a batch first: there cannot be two at the same index. */
  public boolean needsNoopBatch(long index) {
    return writing == null
        && index > 0
        && index == newest()
        && (space.takesSends() ? wanted : makesRoom());
  }

  /** Begins a checkpoint if it is due; else null. */
  public @Nullable CheckpointWriter begin(long index, Runnable whenRoom) {
    if (writing != null || index == 0 || index == newest() || !isDue()) {
      return null;
    }
    bytesSince = 0;
    wanted = false;
    wantStep = whenRoom;
    var next =
        new CheckpointWriter(
            disk,
            executors,
            shardExecutor,
            bodies,
            space,
            index,
            ++retention.begun,
            salts.getAsLong(),
            whenRoom,
            this::ended);
    try {
      next.begin();
    } catch (RuntimeException | Error broken) {
      LOG.warn("A checkpoint could not be begun; the log goes on without", broken);
      meter.checkpointEnded(false);
      pause();
      return null;
    }
    writing = next;
    return next;
  }

  private boolean isDue() {
    return space.takesSends() ? wanted || bytesSince >= settings.checkpointBytes() : makesRoom();
  }

  /**
   * Whether a checkpoint frees space. Below the reserve one is written only for that: dead segments
   * that two newer checkpoints release. They must be worth it, it must fit, and a failed one is not
   * tried again at once.
   */
  private boolean makesRoom() {
    if (space.takesSends() || isPausing()) {
      return false;
    }
    var cost = bodies.liveBodies() * BODY_BYTES;
    var gain = bodies.segments().deadBytes(bodies.settledIndex());
    return gain >= Math.max(cost, LEAST_GAIN_BYTES) && 2 * cost <= space.freeBytes();
  }

  private boolean isPausing() {
    return failed && executors.nanoTime() - failedNanos < PAUSE_MILLIS * 1_000_000;
  }

  /** Pauses after a failure: no early checkpoint for a while, and then one even without traffic. */
  private void pause() {
    failed = true;
    failedNanos = executors.nanoTime();
    retryLater(++failures);
  }

  /**
   * Tries again later, as long as no later checkpoint has ended; below the reserve it may not be
   * tried.
   */
  private void retryLater(int failure) {
    executors.logLater(
        PAUSE_MILLIS,
        () ->
            shardExecutor.execute(
                () -> {
                  if (failed && failures == failure) {
                    retryLater(failure);
                    whenEnded.run();
                  }
                }));
  }

  /** The last batch that a checkpoint covers; 0 for none. */
  private long newest() {
    return kept.isEmpty() ? 0 : kept.getLast().index();
  }

  /** Notes that more batches are durable and have locations. */
  public void settled() {
    if (writing != null) {
      writing.mayHaveRoom();
    }
  }

  private void ended(CheckpointWriter checkpoint, boolean counts) {
    writing = null;
    meter.checkpointEnded(counts);
    if (!counts) {
      pause();
    } else {
      failed = false;
      newestBytes = checkpoint.bytes();
      kept.addLast(new Kept(checkpoint.index(), checkpoint.ordinal()));
      LOG.debug("A checkpoint covers the log up to batch {}", checkpoint.index());
      if (kept.size() > KEPT) {
        var old = CheckpointFile.nameOf(kept.removeFirst().index());
        executors.checkpoints(() -> delete(old));
      }
      keepSegments();
      bodies.removeFiles();
      if (makesRoom()) {
        wantStep.run();
      }
    }
    whenEnded.run();
  }

  /** Keeps the segments that recovery needs: all after the older checkpoint, or without two all. */
  private void keepSegments() {
    if (kept.size() == KEPT) {
      retention.olderIndex = kept.getFirst().index();
      retention.olderOrdinal = kept.getFirst().ordinal();
    }
  }

  private void delete(String name) {
    try {
      disk.delete(name);
      disk.syncFolder("");
    } catch (IOException left) {
      LOG.warn("An old checkpoint could not be removed: {}", left.getMessage());
    }
  }
}

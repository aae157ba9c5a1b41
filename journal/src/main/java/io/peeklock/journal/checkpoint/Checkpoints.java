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
 * When a checkpoint is due, which are kept, and so from where on the log must stay: the two newest,
 * because the newest may turn out to be damaged.
 *
 * <p>One is due when the log behind the last one is long, so that a recovery stays short; and
 * before that, when the log takes more than it should and checkpoints would let parts of it go.
 */
@ShardThread
public final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final int KEPT = 2;
  private static final int INTERVALS_PER_SEGMENT = 4;

  /** An early checkpoint may cost so much of what is written in all: one part in so many. */
  private static final int LEAST_LOG_PER_CHECKPOINT = 4;

  /** What a body takes in a checkpoint, on average and rather too much. */
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

  /** Who wants to know that one counts, came to nothing, or is to be tried again. */
  public void whenEnded(Runnable told) {
    whenEnded = told;
  }

  /** What a recovery found, oldest first, and how much log lies behind the newest. */
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

  /** So much was appended. */
  public void appended(long bytes) {
    bytesSince += bytes;
  }

  /** What is needed of the disk: living bodies, and a checkpoint. */
  public long liveBytes(Usage usage) {
    return usage.liveBytes() + newestBytes;
  }

  /**
   * Whether one is wanted before its time, or for the room that it makes.
   *
   * @param isQuiet nothing is appended, so there is no interval to wait for
   */
  public boolean isWanted(boolean isQuiet) {
    wanted = writing == null && !isPausing() && (isOwed() || isWorthIt(isQuiet));
    return wanted || (writing == null && makesRoom());
  }

  /** After a failure the next one is not left to the log's growth: nobody knew until then. */
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

  /** Whether one waits for a batch: at the index of the last one there can be no second. */
  public boolean needsNoopBatch(long index) {
    return writing == null
        && index > 0
        && index == newest()
        && (space.takesSends() ? wanted : makesRoom());
  }

  /** Begins one when it is due. */
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
   * Below the reserve a checkpoint is written only for the room that it brings: dead segments that
   * two newer checkpoints let go. They must be worth it, it must fit, and one that failed is not
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

  /** One failed: none before its time for a while, and then one although nothing happens. */
  private void pause() {
    failed = true;
    failedNanos = executors.nanoTime();
    retryLater(++failures);
  }

  /** Goes on while that failure is the last word: below the reserve it may not be tried. */
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

  /** More is durable and has its place. */
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

  /** Recovery from the older one needs all that came after it; without two, it needs all. */
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

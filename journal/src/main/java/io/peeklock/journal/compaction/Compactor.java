package io.peeklock.journal.compaction;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.bodies.BodyStore;
import io.peeklock.journal.checkpoint.Checkpoints;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.log.ColdHead;
import io.peeklock.journal.segment.BodyFile;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.segment.Usage;
import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.meter.LogMeter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prevents a few living bodies from holding disk space: when the log takes much more than its
 * living bodies, those of the emptiest files are copied into one cold segment, and their locations
 * change once that is durable. The old files stay until checkpoints have the new locations. Runs on
 * the shard's thread; the compaction's thread does the copying.
 *
 * <p>choose → list → copy → move, one run at a time; everything except the copying runs in slices,
 * so that the shard's thread is never busy for long.
 */
public final class Compactor {
  private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);
  private static final int MOST_FILES = 64;
  private static final int MOST_BODIES = 1 << 20;
  private static final int SLICE = BodyLocations.CHUNK_BODIES;
  private static final int SMALL_PART = 4;
  private static final int MANY_SMALL = 32;
  private static final long RETRY_MILLIS = 60_000;

  private final Disk disk;
  private final JournalExecutors executors;
  private final Executor shardExecutor;
  private final CommitNotifier outcome;
  private final JournalSettings settings;
  private final BodyStore bodies;
  private final Checkpoints checkpoints;
  private final LogMeter meter;
  private final LongSupplier salts;
  private final Runnable whenEnded;
  private @Nullable Run running;
  private boolean pausing;
  private boolean failedBefore;
  private boolean closed;

  /**
   * A compactor that {@link #consider} starts.
   *
   * @param whenEnded run on the shard's thread after each run
   */
  public Compactor(
      Disk disk,
      JournalExecutors executors,
      Executor shardExecutor,
      CommitNotifier outcome,
      JournalSettings settings,
      BodyStore bodies,
      Checkpoints checkpoints,
      LogMeter meter,
      LongSupplier salts,
      Runnable whenEnded) {
    this.disk = disk;
    this.executors = executors;
    this.shardExecutor = shardExecutor;
    this.outcome = outcome;
    this.settings = settings;
    this.bodies = bodies;
    this.checkpoints = checkpoints;
    this.meter = meter;
    this.salts = salts;
    this.whenEnded = whenEnded;
  }

  /** Whether a run is in progress. */
  public boolean isRunning() {
    return running != null;
  }

  /** Begins a run if there is enough to gain. */
  public void consider() {
    if (running != null || pausing || closed || !bodies.retention().hasTwo()) {
      return;
    }
    var victims = choose();
    if (victims.isEmpty()) {
      meter.nothingToCompact();
      return;
    }
    var target = bodies.cold().reserve(salts.getAsLong());
    if (target == null) {
      LOG.warn("There are too many cold segments for another; nothing is compacted");
      meter.compactionEnded(false);
      pause();
      return;
    }
    Run run;
    try {
      run = new Run(victims, target);
    } catch (RuntimeException | Error broken) {
      bodies.cold().unreserve(target);
      throw broken;
    }
    running = run;
    run.list();
  }

  /** The files to empty, emptiest first. */
  private List<BodyFile> choose() {
    var usage = bodies.usage();
    var live = checkpoints.liveBytes(usage);
    var staying = usage.bytes() - usage.leavingBytes();
    var most =
        Math.min(
            Math.min(settings.segmentBytes(), BodyLocations.MOST_COLD_BYTES / 2),
            Usage.mostMoving(live, settings.segmentBytes()) - usage.movedBytes());
    var bound = Usage.tooMuch(live, settings.segmentBytes());
    if (staying > bound) {
      var excess = staying - Usage.enough(live, settings.segmentBytes());
      return upTo(sparse(), excess, most, usage.movedBytes() == 0);
    }
    var small = small();
    if (small.size() < MANY_SMALL) {
      return List.of();
    }
    var merged = upTo(small, Long.MAX_VALUE, Math.min(most, bound - usage.bytes()), false);
    return merged.size() < 2 ? List.of() : merged; // one would only be copied
  }

  private List<BodyFile> sparse() {
    var found = new ArrayList<BodyFile>();
    for (var segment : bodies.segments().covered()) {
      if (isSparse(segment)) {
        found.add(segment);
      }
    }
    for (var segment : bodies.cold().all()) {
      if (isSparse(segment)) {
        found.add(segment);
      }
    }
    found.sort(Comparator.comparingDouble(file -> (double) file.liveBytes / file.bytes));
    return found;
  }

  /**
   * Whether a file is worth emptying: at least a tenth must be gained, though a copy has a head.
   */
  private static boolean isSparse(BodyFile file) {
    return mayGo(file) && file.liveBytes + ColdHead.BYTES < file.bytes / 10 * 9;
  }

  private static boolean mayGo(BodyFile file) {
    return file.live > 0 && !file.isGivenUp && file.liveBytes < BodyLocations.MOST_COLD_BYTES / 2;
  }

  /** Small cold segments to merge, however full, so that there are never many. */
  private List<BodyFile> small() {
    var found = new ArrayList<BodyFile>();
    for (var segment : bodies.cold().all()) {
      if (mayGo(segment) && segment.bytes < settings.segmentBytes() / SMALL_PART) {
        found.add(segment);
      }
    }
    found.sort(Comparator.comparingLong(file -> file.liveBytes));
    return found;
  }

  private static List<BodyFile> upTo(
      List<BodyFile> files, long excess, long mostBytes, boolean takeOne) {
    var taken = new ArrayList<BodyFile>();
    var gain = 0L;
    var copied = 0L;
    var count = 0L;
    for (var file : files) {
      copied += file.liveBytes;
      count += file.live;
      var fits = copied <= mostBytes && count <= MOST_BODIES && taken.size() < MOST_FILES;
      if (gain >= excess || (!fits && !(takeOne && taken.isEmpty()))) {
        break;
      }
      taken.add(file);
      gain += file.bytes - file.liveBytes;
    }
    return taken;
  }

  private void pause() {
    executors.compactionLater(
        RETRY_MILLIS,
        () ->
            shardExecutor.execute(
                () -> {
                  pausing = false;
                  whenEnded.run();
                }));
    pausing = true;
  }

  /** Begins no further run. */
  public void close() {
    closed = true;
    if (running != null && running.writer != null) {
      running.writer.stop();
    }
  }

  /** One cold segment in the making. */
  private final class Run {
    private final BodyFile[] victims;
    private final ColdSegment target;
    private final long[] chunks;
    private int nextChunk;
    private int count;
    private long[] ids = new long[SLICE];
    private long[] from = new long[SLICE];
    private byte[] source = new byte[SLICE];
    private @Nullable ColdWriter writer;

    Run(List<BodyFile> files, ColdSegment target) {
      this.victims = files.toArray(BodyFile[]::new);
      this.target = target;
      this.chunks = bodies.locations().chunkNumbers();
      for (var victim : victims) {
        victim.pins++;
        victim.isVictim = true;
      }
    }

    /** The living bodies of the next chunk. */
    void list() {
      if (closed) {
        return;
      }
      try {
        listNext();
      } catch (RuntimeException | Error broken) {
        failed(new IOException(broken.toString(), broken));
      }
    }

    private void listNext() {
      while (nextChunk < chunks.length && !concerns(chunks[nextChunk])) {
        nextChunk++;
      }
      if (nextChunk < chunks.length) {
        listChunk(chunks[nextChunk++]);
        shardExecutor.execute(this::list);
      } else {
        copy();
      }
    }

    private boolean concerns(long chunk) {
      var first = chunk * SLICE;
      for (var victim : victims) {
        if (firstIn(victim) < first + SLICE && endOf(victim) > first) {
          return true;
        }
      }
      return false;
    }

    private static long firstIn(BodyFile victim) {
      return victim instanceof ColdSegment cold ? cold.firstBodyId : ((Segment) victim).firstBodyId;
    }

    private long endOf(BodyFile victim) {
      return victim instanceof ColdSegment cold
          ? cold.lastBodyId + 1
          : bodies.segments().endOf((Segment) victim);
    }

    private void listChunk(long chunk) {
      var places = bodies.locations().chunkNumbered(chunk);
      if (places == null) {
        return;
      }
      BodyFile last = null;
      byte place = 0;
      for (var i = 0; i < places.length; i++) {
        if (places[i] == BodyLocations.NONE || places[i] == BodyLocations.LARGE) {
          continue;
        }
        var id = chunk * SLICE + i;
        var file = bodies.fileOf(id, places[i]);
        if (file != null && file.isVictim) {
          place = file.equals(last) ? place : (byte) Arrays.asList(victims).indexOf(file);
          last = file;
          add(id, places[i], place);
        }
      }
    }

    private void add(long id, long location, byte place) {
      if (count == ids.length) {
        ids = Arrays.copyOf(ids, 2 * count);
        from = Arrays.copyOf(from, 2 * count);
        source = Arrays.copyOf(source, 2 * count);
      }
      ids[count] = id;
      from[count] = location;
      source[count++] = place;
    }

    private void copy() {
      var work = ColdWriter.Work.of(victims, count, ids, from, source);
      var copying =
          new ColdWriter(
              disk,
              executors,
              settings,
              target,
              work,
              failure -> shardExecutor.execute(() -> copied(work, failure)));
      writer = copying;
      copying.start();
    }

    private void copied(ColdWriter.Work work, @Nullable IOException failure) {
      if (closed) {
        return;
      }
      if (failure != null) {
        failed(failure);
        return;
      }
      failedBefore = false;
      meter.compactionEnded(true);
      for (var i = 0; i < victims.length; i++) {
        victims[i].isGivenUp |= work.isDamaged()[i];
      }
      target.pins++; // it has no living body yet
      bodies.cold().add(target);
      move(work, 0);
    }

    private void failed(IOException failure) {
      if (!failedBefore) {
        LOG.warn(
            "The log could not be compacted and goes on as it is; it is tried again: {}",
            failure.getMessage());
      }
      failedBefore = true;
      meter.compactionEnded(false);
      bodies.cold().unreserve(target);
      pause();
      end();
    }

    /** Moves the next bodies that are still alive to the new file. */
    private void move(ColdWriter.Work work, int first) {
      if (closed) {
        return;
      }
      try {
        moveNext(work, first);
      } catch (RuntimeException | Error broken) {
        outcome.failed(new IOException("bodies could not be moved: " + broken, broken));
      }
    }

    private void moveNext(ColdWriter.Work work, int first) {
      var end = Math.min(count, first + SLICE);
      for (var i = first; i < end; i++) {
        var to = work.to()[i];
        if (to != BodyLocations.NONE) {
          bodies.moved(ids[i], from[i], victims[source[i]], to, target);
        }
      }
      if (end < count) {
        shardExecutor.execute(() -> move(work, end));
        return;
      }
      target.pins--;
      if (target.live == 0) {
        pause(); // in vain: all bodies died meanwhile, or could not be copied
      }
      LOG.debug("{} bodies were moved to {}", target.live, disk.describe(target.name));
      end();
    }

    private void end() {
      for (var victim : victims) {
        victim.pins--;
        victim.isVictim = false;
        Invariant.check(victim.pins >= 0, "a pin is taken off once");
      }
      running = null;
      bodies.removeFiles();
      whenEnded.run();
    }
  }
}

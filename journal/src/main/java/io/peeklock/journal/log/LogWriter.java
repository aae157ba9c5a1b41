package io.peeklock.journal.log;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.journal.segment.Segment;
import io.peeklock.runtime.meter.LogMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends batches and makes them durable. All waiting batches form one group with one sync; when
 * the sync returns, the next group follows: there is no timer, the group sizes itself. The first
 * failure of any kind ends the log (I-10).
 *
 * <p>{@link #append} and {@link #backlogBytes} may be called from any thread; everything else runs
 * on the log's thread.
 */
public final class LogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
  private static final int WRITE_BYTES = 256 * 1024;
  private static final int PIECES = 512;

  private final Disk disk;
  private final JournalExecutors executors;
  private final CommitNotifier outcome;
  private final JournalSettings settings;
  private final DiskSpace space;
  private final HighWater highWater;
  private final LogMeter meter;
  private final LongSupplier salts;
  private final Runnable afterDurable;
  private final Runnable whenQuiet;
  private final FrameEncoder encoder = new FrameEncoder();

  private final Object lock = new Object();
  private List<Entry> queue = new ArrayList<>();
  private boolean running;
  private final AtomicLong backlogBytes = new AtomicLong();

  private List<Entry> taken = new ArrayList<>();
  private @Nullable DiskFile file;
  private @Nullable Segment open;
  private long salt;
  private long position;
  private long term;
  private long writtenIndex;
  private long writtenTimeMillis;
  private long durableIndex;
  private long watermark;
  private long nextBodyId;
  private final ByteBuffer[] pieces = new ByteBuffer[PIECES];
  private int pieceCount;
  private long pieceBytes;
  private long groupBytes;
  private long groupBacklog;
  private boolean quietWanted;
  private long groups;

  /**
   * A writer that {@link #start} begins.
   *
   * @param afterDurable run on the log's thread after each group
   * @param whenQuiet run on the log's thread when there is no more work
   */
  public LogWriter(
      Disk disk,
      JournalExecutors executors,
      CommitNotifier outcome,
      JournalSettings settings,
      DiskSpace space,
      HighWater highWater,
      LogMeter meter,
      LongSupplier salts,
      Runnable afterDurable,
      Runnable whenQuiet) {
    this.disk = disk;
    this.executors = executors;
    this.outcome = outcome;
    this.settings = settings;
    this.space = space;
    this.highWater = highWater;
    this.meter = meter;
    this.salts = salts;
    this.afterDurable = afterDurable;
    this.whenQuiet = whenQuiet;
  }

  /** Continues where a recovery ended. Called on any thread, before any append. */
  public void start(Recovered recovered) throws IOException {
    open = recovered.open();
    if (open != null) {
      file = disk.open(open.name);
      position = open.bytes;
    }
    salt = recovered.openSalt();
    writtenIndex = recovered.lastIndex();
    writtenTimeMillis = recovered.lastTimeMillis();
    durableIndex = recovered.lastIndex();
    watermark = recovered.watermark();
    nextBodyId = recovered.nextBodyId();
    term = recovered.lastTerm();
    space.watch();
    executors.log(this::wantQuiet);
  }

  /** Takes a batch for the log, in order. Any thread. */
  public void append(Entry entry) {
    backlogBytes.addAndGet(entry.backlogBytes());
    synchronized (lock) {
      queue.add(entry);
      if (running) {
        return;
      }
      running = true;
    }
    executors.log(this::drain);
  }

  /** The bytes appended and not yet durable. Any thread. */
  public long backlogBytes() {
    return backlogBytes.get();
  }

  private boolean takeAll() {
    taken.clear();
    synchronized (lock) {
      if (queue.isEmpty()) {
        running = false;
        return false;
      }
      var full = queue;
      queue = taken;
      taken = full;
      return true;
    }
  }

  private void drain() {
    try {
      while (takeAll()) {
        if (outcome.ended()) {
          // A failed sync is not tried again: it might succeed without proving anything (I-10).
          taken.forEach(entry -> backlogBytes.addAndGet(-entry.backlogBytes()));
          continue;
        }
        space.beforeWrite(backlogBytes.get());
        for (var entry : taken) {
          write(entry);
        }
        commit();
      }
      wantQuiet();
    } catch (IOException failure) {
      outcome.failed(failure);
      drain();
    } catch (RuntimeException | Error bug) {
      LOG.error("The log's writer broke", bug);
      outcome.failed(new IOException("the log's writer broke: " + bug, bug));
      drain();
    }
  }

  private void write(Entry entry) throws IOException {
    if (entry.segment != open) {
      commit();
      roll(entry);
    }
    encoder.flags(flags());
    var head = encoder.headOf(entry, salt, durableIndex);
    if (head == null) {
      flush();
      head = encoder.freshHeadOf(entry, salt, durableIndex);
    }
    entry.bodiesAt = position + head.remaining();
    add(head);
    for (var run : entry.runs) {
      addBodies(run);
    }
    writtenIndex = entry.batch.index();
    writtenTimeMillis = entry.batch.timeMillis();
    term = entry.batch.term();
    nextBodyId = entry.batch.firstBodyId() + entry.bodies;
    groupBacklog += entry.backlogBytes();
    if (groupBytes >= settings.groupBytes()) {
      commit();
    }
  }

  private int flags() {
    return highWater.isKept() ? Frame.MARKED : 0;
  }

  private void addBodies(BodyRun run) throws IOException {
    var place = 0;
    while (place < run.count()) {
      if (run.length(place) < 0) {
        place++;
        continue;
      }
      var end = run.contiguousUntil(place);
      var from = run.start(place);
      var to = run.start(end - 1) + BodyRun.CHECK_BYTES + run.length(end - 1);
      add(run.block(place).bytes.slice(from, to - from));
      place = end;
    }
  }

  private void add(ByteBuffer piece) throws IOException {
    pieces[pieceCount++] = piece;
    pieceBytes += piece.remaining();
    groupBytes += piece.remaining();
    position += piece.remaining();
    if (pieceBytes >= WRITE_BYTES || pieceCount == PIECES) {
      flush();
    }
  }

  private void flush() throws IOException {
    if (pieceCount > 0 && file != null) {
      file.append(pieces, pieceCount);
    }
    Arrays.fill(pieces, 0, pieceCount, null);
    pieceCount = 0;
    pieceBytes = 0;
  }

  /** Ends the group with one sync and one report. */
  private void commit() throws IOException {
    if (groupBytes == 0 || file == null || open == null) {
      return;
    }
    flush();
    encoder.clear();
    var before = executors.nanoTime();
    file.sync();
    meter.synced(groupBytes, executors.nanoTime() - before);
    open.bytes = position;
    durableIndex = writtenIndex;
    groups++;
    backlogBytes.addAndGet(-groupBacklog);
    groupBacklog = 0;
    outcome.durable(durableIndex);
    afterDurable.run();
    highWater.durable(term, durableIndex, open, position); // nobody has to wait for it
    var written = groupBytes;
    groupBytes = 0;
    space.wrote(written, backlogBytes.get());
  }

  /** Makes everything earlier durable, and begins the next file. */
  private void roll(Entry entry) throws IOException {
    if (file != null) {
      file.close();
    }
    var next = entry.segment;
    salt = salts.getAsLong();
    var head =
        new SegmentHead(
            next.number, next.firstIndex, writtenIndex, next.firstBodyId, entry.batch.term(), salt);
    var fresh = disk.create(next.name);
    file = fresh;
    fresh.append(new ByteBuffer[] {head.bytes()}, 1);
    fresh.sync();
    disk.syncFolder("");
    position = SegmentHead.BYTES;
    next.bytes = position;
    open = next;
  }

  private void wantQuiet() {
    if (!quietWanted && watermark < durableIndex && !outcome.ended()) {
      quietWanted = true;
      var seen = groups;
      executors.logLater(settings.quietMillis(), () -> quiet(seen));
    }
  }

  private void quiet(long seenGroups) {
    quietWanted = false;
    if (seenGroups != groups) {
      wantQuiet();
      return;
    }
    try {
      writeWatermark();
      highWater.quiet();
      wantQuiet();
    } catch (IOException failure) {
      outcome.failed(failure);
    } catch (RuntimeException | Error bug) {
      outcome.failed(new IOException("the log's writer broke: " + bug, bug));
    }
    whenQuiet.run();
  }

  /**
   * Records in the log up to where it is durable, so that damage before is not taken for a torn
   * end.
   */
  private void writeWatermark() throws IOException {
    if (outcome.ended() || file == null || open == null || watermark >= durableIndex) {
      return;
    }
    var frame =
        new Frame(
            Frame.WATERMARK | flags(),
            0,
            0,
            0,
            0,
            term,
            durableIndex,
            durableIndex,
            writtenTimeMillis,
            durableIndex,
            nextBodyId);
    encoder.clear();
    var piece = encoder.bare(frame, salt);
    space.beforeWrite(backlogBytes.get());
    if (!space.hasRoomFor(piece.remaining())) {
      return; // it can wait, and a failed write would end the log
    }
    position += piece.remaining();
    file.append(new ByteBuffer[] {piece}, 1);
    file.sync();
    open.bytes = position;
    watermark = durableIndex;
  }

  /** Ends the log in order: everything appended is made durable, with a watermark. */
  public void close() {
    try {
      writeWatermark();
    } catch (IOException failure) {
      outcome.failed(failure);
    } finally {
      highWater.close(!outcome.ended());
      outcome.close();
      closeFile();
    }
  }

  private void closeFile() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException harmless) {
      LOG.warn("The log's file was synced but could not be closed: {}", harmless.getMessage());
    }
    file = null;
  }
}

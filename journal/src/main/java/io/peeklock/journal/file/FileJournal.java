package io.peeklock.journal.file;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.Threads;
import io.peeklock.journal.blocks.Arena;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.JoinedRuns;
import io.peeklock.journal.blocks.StagingBudget;
import io.peeklock.journal.bodies.BodyStore;
import io.peeklock.journal.bodies.ColdReads;
import io.peeklock.journal.bodies.Fetches;
import io.peeklock.journal.checkpoint.Checkpoints;
import io.peeklock.journal.compaction.Compactor;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.journal.disk.LocalDisk;
import io.peeklock.journal.large.LargeFiles;
import io.peeklock.journal.log.Entry;
import io.peeklock.journal.log.HighWater;
import io.peeklock.journal.log.LogWriter;
import io.peeklock.journal.recovery.Recovery;
import io.peeklock.journal.segment.Segment;
import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.meter.LogMeter;
import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal on local files. What it reports as durable survives the process and a loss of power;
 * damage is reported, never served and never taken for the end of the log.
 */
public final class FileJournal implements Journal {
  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);
  private static final int BLOCKS_AT_REST = 16;
  private static final long LEAST_ROOM_BYTES = 1 << 20;
  private static final int LOOKS_PER_SEGMENT = 16;

  private final Disk disk;
  private final JournalExecutors executors;
  private final JournalSettings settings;
  private final Executor shardExecutor;
  private final Closeable folder;
  private final CommitNotifier notifier = new CommitNotifier();
  private final BlockPool pool;
  private final StagingBudget staged;
  private final StagingBudget stagedLarge;
  private final StagingBudget largePieces;
  private final DiskSpace space;
  private final HighWater highWater;
  private final LargeFiles largeFiles;
  private final ColdReads coldReads;
  private final BodyStore bodies;
  private final Fetches fetches;
  private final LogMeter meter = new LogMeter();
  private final LogWriter writer;
  private final Checkpoints checkpoints;
  private final Compactor compactor;
  private final AtomicBoolean settleWanted = new AtomicBoolean();
  private boolean recovered;
  private boolean closed;
  private long lastIndex;
  private boolean quiet = true;
  private long unlookedBytes;
  private Runnable wantStep = () -> {};

  /**
   * Takes the folder.
   *
   * @param shardExecutor runs the answers of fetches; its thread calls everything except {@link
   *     #newArena}
   * @throws IOException when another broker has the folder, or it is of a newer format
   */
  public static FileJournal open(JournalSettings settings, Executor shardExecutor)
      throws IOException {
    var random = new SecureRandom();
    var disk = new LocalDisk(settings.folder());
    return open(settings, shardExecutor, disk, new Threads(), random::nextLong);
  }

  /**
   * The same for a tool that creates a folder: no broker and no other tool can open it until {@link
   * UnfinishedFolder#finish}, even if the tool fails.
   *
   * @param command the tool's command, which an error about an unfinished folder names
   */
  public static FileJournal openUnfinished(
      JournalSettings settings, Executor shardExecutor, String command) throws IOException {
    var random = new SecureRandom();
    UnfinishedFolder.refuseUnlessFree(settings.folder());
    UnfinishedFolder.make(settings.folder());
    var disk = new LocalDisk(settings.folder());
    return openUnfinished(settings, shardExecutor, disk, new Threads(), random::nextLong, command);
  }

  static FileJournal openUnfinished(
      JournalSettings settings,
      Executor shardExecutor,
      Disk disk,
      JournalExecutors executors,
      LongSupplier random,
      String command)
      throws IOException {
    return openTaken(
        settings, shardExecutor, disk, executors, random, Folder.takeUnfinished(disk, command));
  }

  /** Opens a journal on any disk, with any threads. */
  public static FileJournal open(
      JournalSettings settings,
      Executor shardExecutor,
      Disk disk,
      JournalExecutors executors,
      LongSupplier random)
      throws IOException {
    return openTaken(settings, shardExecutor, disk, executors, random, Folder.take(disk));
  }

  /**
   * Opens a journal in a folder that is locked and prepared already.
   *
   * @param lock closed at the very end
   */
  public static FileJournal openTaken(
      JournalSettings settings,
      Executor shardExecutor,
      Disk disk,
      JournalExecutors executors,
      LongSupplier random,
      Closeable lock) {
    return new FileJournal(settings, shardExecutor, disk, executors, random, lock);
  }

  private FileJournal(
      JournalSettings settings,
      Executor shardExecutor,
      Disk disk,
      JournalExecutors executors,
      LongSupplier random,
      Closeable folder) {
    this.settings = settings;
    this.pool = new BlockPool(BLOCKS_AT_REST, settings.residentBytes() + settings.stagedBytes());
    this.disk = disk;
    this.executors = executors;
    this.folder = folder;
    this.shardExecutor = task -> tell(shardExecutor, notifier, task);
    this.staged = new StagingBudget(settings.stagedBytes());
    this.stagedLarge = new StagingBudget(settings.largeStagedBytes());
    this.largePieces = new StagingBudget(settings.largePieceBytes());
    this.space = new DiskSpace(disk, executors, notifier, settings);
    this.highWater = new HighWater(disk, executors, notifier);
    this.coldReads = new ColdReads(disk, executors, pool);
    this.largeFiles =
        new LargeFiles(disk, executors, pool, notifier, stagedLarge, largePieces, space, random);
    this.bodies = new BodyStore(settings, notifier, coldReads, largeFiles);
    this.fetches = new Fetches(bodies, this.shardExecutor, coldReads, settings.residentBytes());
    this.checkpoints =
        new Checkpoints(
            disk, executors, this.shardExecutor, bodies, space, meter, random, settings);
    this.compactor =
        new Compactor(
            disk,
            executors,
            this.shardExecutor,
            notifier,
            settings,
            bodies,
            checkpoints,
            meter,
            random,
            this::look);
    checkpoints.whenEnded(this::look);
    this.writer =
        new LogWriter(
            disk,
            executors,
            notifier,
            settings,
            space,
            highWater,
            meter,
            random,
            this::wantSettle,
            this::becameQuiet);
  }

  /** The store of bodies, for a dry run. */
  public BodyStore bodies() {
    return bodies;
  }

  /**
   * Runs a task on the shard's thread. If that fails the journal ends, unless the thread is gone,
   * as the task would be awaited for ever.
   */
  private static void tell(Executor shardExecutor, CommitNotifier notifier, Runnable task) {
    try {
      shardExecutor.execute(task);
    } catch (RejectedExecutionException gone) {
      LOG.debug("The shard's thread is gone; nobody is told", gone);
    } catch (RuntimeException | Error broken) {
      notifier.failed(new IOException("the shard's thread takes no task: " + broken, broken));
    }
  }

  @Override
  public Standing recover(Replay replay, Listener listener) throws IOException {
    Invariant.check(!recovered, "a local log is recovered once; it never loses leadership");
    recovered = true;
    space.begin();
    var found = new Recovery(disk, bodies, largeFiles, replay).run();
    bodies.recoveredUpTo(found.lastIndex());
    checkpoints.recovered(found.checkpoints(), found.bytesBehind());
    notifier.start(listener, found.lastIndex());
    highWater.begin(found);
    writer.start(found);
    lastIndex = found.lastIndex();
    bodies.endRecovery();
    this.shardExecutor.execute(this::look);
    var standing = new Standing(found.lastTerm() + 1, found.lastIndex(), found.lastTimeMillis());
    listener.leads(standing);
    return standing;
  }

  @Override
  public void append(Batch batch) {
    Invariant.check(recovered, "a log is recovered before it is appended to");
    if (notifier.ended() || closed) {
      batch.bodies().forEach(StagedBodies::release);
      return;
    }
    Invariant.check(
        batch.index() == lastIndex + 1 && batch.predecessor() == lastIndex,
        "batches are appended without a gap");
    lastIndex = batch.index();
    quiet &= batch.facts().isEmpty();
    var entry = new Entry(batch, JoinedRuns.of(batch.bodies()), segmentFor(batch));
    bodies.appended(entry);
    writer.append(entry);
    appended(entry.backlogBytes());
  }

  private void appended(long bytes) {
    checkpoints.appended(bytes);
    unlookedBytes += bytes;
    if (unlookedBytes >= settings.segmentBytes() / LOOKS_PER_SEGMENT) {
      unlookedBytes = 0;
      shardExecutor.execute(this::look);
    }
  }

  @Override
  public boolean needsNoopBatch() {
    return !closed
        && !notifier.ended()
        && (checkpoints.needsNoopBatch(lastIndex) || endsDeadWeight());
  }

  @Override
  public @Nullable CheckpointSink beginCheckpoint(Runnable whenRoom) {
    wantStep = whenRoom;
    return closed || notifier.ended() ? null : checkpoints.begin(lastIndex, whenRoom);
  }

  private Segment segmentFor(Batch batch) {
    var segments = bodies.segments();
    if (segments.isEmpty()) {
      segments.add(new Segment(1, batch.index(), batch.firstBodyId()));
    } else if (isFull(segments.open())) {
      var number = segments.open().number + 1;
      segments.add(new Segment(number, batch.index(), batch.firstBodyId()));
    }
    return segments.open();
  }

  private void wantSettle() {
    if (settleWanted.compareAndSet(false, true)) {
      shardExecutor.execute(
          () -> {
            settleWanted.set(false);
            bodies.settle();
            checkpoints.settled();
          });
    }
  }

  private void becameQuiet() {
    pool.trim();
    shardExecutor.execute(
        () -> {
          quiet = true;
          look();
        });
  }

  /** Checks whether space can be freed, and whether a checkpoint would help. */
  private void look() {
    if (closed || notifier.ended()) {
      return;
    }
    compactor.consider();
    if ((!compactor.isRunning() && checkpoints.isWanted(quiet)) || endsDeadWeight()) {
      wantStep.run();
    }
  }

  @Override
  public long backlogBytes() {
    return writer.backlogBytes();
  }

  private boolean isFull(Segment open) {
    return open.bytes >= settings.segmentBytes() || isDeadWeight(open);
  }

  private boolean endsDeadWeight() {
    return !bodies.segments().isEmpty() && isDeadWeight(bodies.segments().open());
  }

  /**
   * Whether the open segment is dead weight: on a full disk it must end although it is not full
   * itself.
   */
  private boolean isDeadWeight(Segment open) {
    return !space.takesSends()
        && open.live == 0
        && open.larges == 0
        && open.bytes >= LEAST_ROOM_BYTES;
  }

  @Override
  public boolean takesSends() {
    return space.takesSends();
  }

  @Override
  public boolean isOnLastRoom() {
    return space.isLast();
  }

  @Override
  public long heapBytes() {
    return bodies.locations().heapBytes();
  }

  @Override
  public LogMeter meter() {
    return meter;
  }

  @Override
  public Use use() {
    var usage = bodies.usage();
    return new Use(usage.bytes(), usage.liveBytes(), space.freeBytes());
  }

  @Override
  public BodyArena newArena() {
    return new Arena(pool, staged, largeFiles);
  }

  @Override
  public List<BudgetUse> budgets() {
    return List.of(
        staged.use("staged_bodies"),
        stagedLarge.use("staged_large_bodies"),
        largePieces.use("large_pieces"));
  }

  @Override
  public @Nullable Bodies fetch(long[] bodyIds, LoadListener whenLoaded) {
    return fetches.fetch(bodyIds, whenLoaded);
  }

  @Override
  public void forget(long[] bodyIds) {
    bodies.forget(bodyIds);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    compactor.close();
    coldReads.close();
    executors.log(writer::close);
    executors.leave();
    fetches.close();
    bodies.close();
    try {
      folder.close();
    } catch (IOException harmless) {
      LOG.warn("The folder's lock could not be given up: {}", harmless.getMessage());
    }
  }
}

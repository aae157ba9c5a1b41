package io.peeklock.journal.memory;

import io.peeklock.journal.blocks.Arena;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.blocks.JoinedRuns;
import io.peeklock.journal.blocks.MemoryLarges;
import io.peeklock.journal.blocks.ResidentBodies;
import io.peeklock.journal.blocks.StagingBudget;
import io.peeklock.journal.bodies.Fetch;
import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.meter.BodyRoom;
import io.peeklock.runtime.meter.BudgetUse;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal that keeps bodies in bounded off-heap blocks and no facts: for {@code --in-memory} and
 * tests. Batches are reported as durable at once, in order; everything ends with the process.
 */
public final class MemoryJournal implements Journal {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryJournal.class);
  private static final int BLOCKS_AT_REST = 16;

  /**
   * Staged bodies may take this part on top of the bound, as sends are judged by what is stored.
   */
  private static final int STAGED_PART = 8;

  private static final int REST_PART = 32;
  private static final long MOST_STAGED_BYTES = 64L << 20;

  private final Executor shardExecutor;

  /** Copies with properties of their own go on beyond the bound by so much of it. */
  private static final int CHANGED_PART = 4;

  private final long boundBytes;
  private final long sharedBytes; // among entities
  private final BlockPool pool;
  private final StagingBudget staged;
  private final StagingBudget stagedLarge;
  private final MemoryLarges larges;
  private final ResidentBodies resident = new ResidentBodies();
  private final Compaction compaction;
  private final ArrayDeque<Batch> untold = new ArrayDeque<>();
  private final ArrayDeque<long[]> dying = new ArrayDeque<>();
  private @Nullable Listener listener;
  private long lastIndex;
  private long liveBytes;
  private boolean compacting;
  private boolean closed;

  /**
   * An empty journal.
   *
   * @param boundBytes memory for bodies, from 1 MiB; sends are refused above
   * @param shardExecutor runs the reports of durable batches; its thread calls everything except
   *     {@link #newArena}
   */
  public static MemoryJournal create(long boundBytes, Executor shardExecutor) {
    return new MemoryJournal(boundBytes, shardExecutor);
  }

  private MemoryJournal(long boundBytes, Executor shardExecutor) {
    if (boundBytes < 1 << 20) {
      throw new IllegalArgumentException("memory for bodies must be at least 1 MiB");
    }
    this.boundBytes = boundBytes;
    this.sharedBytes = boundBytes - boundBytes / STAGED_PART;
    this.shardExecutor = shardExecutor;
    var atRest = boundBytes / REST_PART / BlockPool.BLOCK_BYTES;
    this.pool = new BlockPool((int) Math.min(BLOCKS_AT_REST, atRest), 0);
    this.staged = new StagingBudget(stagedBytes(boundBytes));
    this.stagedLarge = new StagingBudget(stagedLargeBytes(boundBytes));
    this.larges = new MemoryLarges(pool, boundBytes, stagedLarge);
    this.compaction = new Compaction(resident, pool, new Arena(pool, staged, larges), boundBytes);
  }

  private static long stagedBytes(long boundBytes) {
    return Math.clamp(boundBytes / STAGED_PART, 1L << 20, MOST_STAGED_BYTES);
  }

  /**
   * The most bytes that arriving large bodies take of a journal of this bound; the rest is for
   * small bodies, however many large ones are begun and never finished.
   */
  public static long stagedLargeBytes(long boundBytes) {
    return boundBytes / 4 * 3;
  }

  /**
   * The most memory that a journal of this bound takes: stored bodies, staged bodies, and free
   * blocks; beside the part for {@link #takesChangedCopies}, which few need.
   */
  public static long mostBytes(long boundBytes) {
    return boundBytes + stagedBytes(boundBytes) + boundBytes / REST_PART;
  }

  @Override
  public Standing recover(Replay replay, Listener to) {
    Invariant.check(listener == null, "memory is recovered once; it never loses leadership");
    listener = to;
    var standing = new Standing(1, 0, 0);
    to.leads(standing);
    return standing;
  }

  @Override
  public void append(Batch batch) {
    if (closed) {
      batch.bodies().forEach(body -> body.release());
      return;
    }
    Invariant.check(
        batch.index() == lastIndex + 1 && batch.predecessor() == lastIndex,
        "batches are appended without a gap");
    lastIndex = batch.index();
    var bodyId = batch.firstBodyId();
    for (var run : JoinedRuns.of(batch.bodies())) {
      run.appended(bodyId, batch.index());
      bodyId += run.count();
      liveBytes += run.bytes();
      resident.add(run);
    }
    untold.add(batch);
    if (untold.size() == 1) {
      execute(this::tellDurable);
    }
    compact();
  }

  /** Runs a step of compaction now, and further steps behind other tasks of the shard's thread. */
  private void compact() {
    if (compaction.step() && !compacting) {
      compacting = true;
      execute(this::compactOn);
    }
  }

  private void compactOn() {
    compacting = false;
    if (!closed) {
      compact();
    }
  }

  private void execute(Runnable task) {
    try {
      shardExecutor.execute(task);
    } catch (RejectedExecutionException gone) {
      LOG.debug("The shard's thread is gone; nobody is told", gone);
    }
  }

  private void tellDurable() {
    if (closed || listener == null || untold.isEmpty()) {
      return;
    }
    var last = 0L;
    for (var batch = untold.poll(); batch != null; batch = untold.poll()) {
      last = batch.index();
      if (batch.deadBodies().length > 0) {
        dying.add(batch.deadBodies());
      }
    }
    listener.durable(last);
    if (!dying.isEmpty()) {
      execute(this::dropDeadBodies); // Behind what the listener has the shard's thread do about it.
    }
  }

  private void dropDeadBodies() {
    for (var dead = dying.poll(); dead != null; dead = dying.poll()) {
      forget(dead);
    }
  }

  @Override
  public void forget(long[] bodyIds) {
    for (var bodyId : bodyIds) {
      var run = resident.find(bodyId);
      if (run != null) {
        var place = run.placeOf(bodyId);
        if (run.length(place) == BodyRun.LARGE) {
          liveBytes -= run.large(place).length();
          run.large(place).release();
        } else {
          liveBytes -= run.length(place);
        }
        resident.died(bodyId);
      }
    }
    compact();
  }

  @Override
  public long backlogBytes() {
    return 0;
  }

  @Override
  public @Nullable CheckpointSink beginCheckpoint(Runnable whenRoom) {
    return null;
  }

  @Override
  public boolean takesSends() {
    return pool.heldBytes() < boundBytes;
  }

  /** A quarter more than sends: what is accepted must be able to leave its topic's backlog. */
  @Override
  public boolean takesChangedCopies() {
    return pool.heldBytes() - staged.stagedBytes() < boundBytes + boundBytes / CHANGED_PART;
  }

  @Override
  public long heapBytes() {
    return resident.heapBytes();
  }

  /**
   * Staged bodies do not count here: a sender that is refused and sends on keeps the staging full,
   * which must not reduce the shares of others.
   */
  @Override
  public BodyRoom bodyRoom() {
    var stored = Math.max(0, pool.heldBytes() - staged.stagedBytes());
    return new BodyRoom(sharedBytes, Math.max(0, sharedBytes - stored));
  }

  @Override
  public Use use() {
    return new Use(pool.heldBytes(), liveBytes, Math.max(0, boundBytes - pool.heldBytes()));
  }

  @Override
  public List<BudgetUse> budgets() {
    return List.of(
        new BudgetUse("memory_bodies", pool.heldBytes(), boundBytes, 0),
        staged.use("staged_bodies"),
        stagedLarge.use("staged_large_bodies"));
  }

  @Override
  public BodyArena newArena() {
    return new Arena(pool, staged, larges);
  }

  @Override
  public @Nullable Bodies fetch(long[] bodyIds, LoadListener whenLoaded) {
    var fetch = new Fetch(bodyIds, whenLoaded);
    fetch.gather(resident);
    if (fetch.complete()) {
      return fetch;
    }
    var missing = fetch.idAt(fetch.found());
    fetch.drop();
    execute(() -> whenLoaded.unreadable(missing, new IOException("memory has no body " + missing)));
    return null;
  }

  @Override
  public void close() {
    closed = true;
    liveBytes = 0;
    for (var run = resident.oldest(); run != null; run = resident.oldest()) {
      resident.remove(run);
    }
  }

  /** The bytes of memory of all bodies. */
  long heldBytes() {
    return pool.heldBytes();
  }
}

package io.peeklock.testkit;

import io.peeklock.runtime.Batch;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.ShardExecutor;
import io.peeklock.runtime.StagedBodies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A journal in memory that is as cruel as the real ones may be: it holds its syncs back, fails
 * them, loses leadership with proposals that never became durable, and answers reads late. What is
 * durable survives {@link #recover}; the rest does not. Not for two threads.
 */
public final class SimJournal implements Journal {
  private final ShardExecutor shardExecutor;
  private final List<Batch> durable = new ArrayList<>();
  private final ArrayDeque<Batch> pending = new ArrayDeque<>();
  private final Map<Long, byte[]> bodies = new HashMap<>();
  private final Set<Long> damaged = new HashSet<>();
  private final ArrayDeque<Runnable> heldLoads = new ArrayDeque<>();
  private @Nullable Listener listener;
  private @Nullable Replay replay;
  private boolean follows;
  private long term;
  private boolean holdSyncs;
  private boolean holdLoads;
  private boolean takesSends = true;
  private boolean onLastRoom;
  private long backlogBytes;
  private UnaryOperator<Bodies> handedOut = UnaryOperator.identity();
  private boolean over; // leadership was lost, or a sync failed, since the last recovery
  private int pins;
  private long appendedBelow = 1;
  private int fetches;
  private int failingLoads;
  private @Nullable IOException pieceFailure;
  private IOException loadFailure = new IOException("segment-1 at 42: read error");
  int stagedRuns;
  long largeStagedBytes = Long.MAX_VALUE;
  long largeBacklogBytes;
  Runnable whenLargesHaveRoom = () -> {};

  /** A journal of a shard that lives on this executor. */
  public SimJournal(ShardExecutor shardExecutor) {
    this.shardExecutor = shardExecutor;
  }

  @Override
  public Standing recover(Replay newReplay, Listener newListener) {
    over = false;
    pending.clear();
    heldLoads.clear();
    listener = newListener;
    replay = newReplay;
    term++;
    replayAll();
    if (!follows) {
      newListener.leads(standing());
    }
    return standing();
  }

  private void replayAll() {
    for (var batch : durable) {
      replay(batch);
    }
    replayed().ended();
  }

  private void replay(Batch batch) {
    replayed().batch(batch.index(), batch.predecessor(), batch.timeMillis(), batch.facts());
  }

  private Standing standing() {
    var last = durable.isEmpty() ? null : durable.getLast();
    return last == null
        ? new Standing(term, 0, 0)
        : new Standing(term, last.index(), last.timeMillis());
  }

  /** From now on what is recovered is only followed, until it is to {@link #lead}. */
  public void follow() {
    follows = true;
  }

  /** A batch of another leader became durable; only while this is followed. */
  public void replicate(Batch batch) {
    keepBodies(batch);
    durable.add(batch);
    replay(batch);
  }

  /** A snapshot of another node takes the place of what is here; only while this is followed. */
  public void install(List<Batch> batches) {
    durable.clear();
    bodies.clear();
    batches.forEach(this::keepBodies);
    durable.addAll(batches);
    replayed().reset();
    replayAll();
  }

  /** This leads from now on. */
  public void lead() {
    follows = false;
    told().leads(standing());
  }

  @Override
  public void append(Batch batch) {
    if (over) {
      batch.bodies().forEach(StagedBodies::release);
      appendedBelow = Math.max(appendedBelow, batch.firstBodyId() + countBodies(batch));
      return;
    }
    keepBodies(batch);
    batch.bodies().forEach(StagedBodies::release);
    pending.add(batch);
    if (!holdSyncs) {
      sync();
    }
  }

  private void keepBodies(Batch batch) {
    var id = batch.firstBodyId();
    for (var staged : batch.bodies()) {
      for (var body : ((SimArena.Run) staged).bodies()) {
        if (!damaged.contains(id)) {
          bodies.put(id, body);
        }
        id++;
      }
    }
    appendedBelow = Math.max(appendedBelow, id);
  }

  /** From now on a large body above this many bytes finds no room. */
  public void roomForLarges(long bytes) {
    largeStagedBytes = bytes;
  }

  /** From now on the disk is slower than those who write large bodies. */
  public void holdLarges() {
    largeBacklogBytes = Long.MAX_VALUE;
  }

  /** The disk has kept up, and who was told to stop is told to go on. */
  public void letLargesGo() {
    largeBacklogBytes = 0;
    whenLargesHaveRoom.run();
  }

  /** From now on nothing becomes durable before {@link #sync}. */
  public void holdSyncs() {
    holdSyncs = true;
  }

  /** Makes everything appended durable, and tells. */
  public void sync() {
    sync(pending.size());
  }

  /** Makes the oldest batches durable that are not yet, and tells. */
  public void sync(int batches) {
    for (var i = 0; i < batches && !pending.isEmpty(); i++) {
      var batch = pending.remove();
      durable.add(batch);
      // Later: a message that its own batch consumes is read right after the append (I-07).
      shardExecutor.execute(
          () -> {
            for (var dead : batch.deadBodies()) {
              bodies.remove(dead);
            }
          });
      told().durable(batch.index());
    }
  }

  /**
   * Another leader took over: the oldest batches that were appended but not durable are kept, the
   * rest is dropped; then leadership is back with a new term, at the next recovery, or after {@link
   * #follow} later.
   */
  public void loseLeadership(int keptBatches) {
    for (var i = 0; i < keptBatches && !pending.isEmpty(); i++) {
      durable.add(pending.remove());
    }
    for (var dropped : pending) {
      for (var i = 0L; i < countBodies(dropped); i++) {
        bodies.remove(dropped.firstBodyId() + i);
      }
    }
    pending.clear();
    over = true;
    told().lostLeadership();
  }

  private static long countBodies(Batch batch) {
    return batch.bodies().stream().mapToLong(staged -> staged.count()).sum();
  }

  /** A write or sync fails: the end of this journal until it is recovered. */
  public void fail(IOException cause) {
    over = true;
    pending.clear();
    told().failed(cause);
  }

  /** From now on reads are answered by {@link #answerLoads} only. */
  public void holdLoads() {
    holdLoads = true;
  }

  /** Answers the reads that were held. */
  public void answerLoads() {
    for (var load = heldLoads.poll(); load != null; load = heldLoads.poll()) {
      shardExecutor.execute(load);
    }
  }

  /** From now on reads are answered at once again, and those that were held. */
  public void letLoadsGo() {
    holdLoads = false;
    answerLoads();
  }

  /** Answers the read that was held last, before those that wait longer; one must be held. */
  public void answerNewestLoad() {
    shardExecutor.execute(heldLoads.removeLast());
  }

  /** Answers the read that was held longest; false when none is held. */
  public boolean answerLoad() {
    var load = heldLoads.poll();
    if (load != null) {
      shardExecutor.execute(load);
    }
    return load != null;
  }

  /** The id of the body that is appended next. */
  public long nextBodyId() {
    return appendedBelow;
  }

  /** How often bodies were asked for. */
  public int fetches() {
    return fetches;
  }

  /** The next so many reads fail, and those behind them do not. */
  public void failLoads(int count) {
    failingLoads = count;
  }

  /** The same, with a failure of their own. */
  public void failLoads(int count, IOException failure) {
    failingLoads = count;
    loadFailure = failure;
  }

  /** The next piece of a large body that somebody reads cannot be had. */
  public void failPiece(IOException failure) {
    pieceFailure = failure;
  }

  /** Loses a body that is stored, or will be, as a damaged disk would. */
  public void damage(long bodyId) {
    damaged.add(bodyId);
    bodies.remove(bodyId);
  }

  /** Puts something before the bodies that are handed out, such as what fails. */
  public void handOut(UnaryOperator<Bodies> wrapper) {
    handedOut = wrapper;
  }

  /** Says whether there is room for sends. */
  public void setTakesSends(boolean value) {
    takesSends = value;
  }

  /** Says whether there is only the last room left. */
  public void setOnLastRoom(boolean value) {
    onLastRoom = value;
  }

  /** Batches that are appended and not durable. */
  public int pendingBatches() {
    return pending.size();
  }

  /** The durable batches, oldest first. */
  public List<Batch> durableBatches() {
    return List.copyOf(durable);
  }

  /** How many bodies are kept. */
  public int liveBodies() {
    return bodies.size();
  }

  /** Bodies handed out and not released, and staged runs not given back. */
  public int leaks() {
    return pins + stagedRuns;
  }

  private Replay replayed() {
    if (replay == null) {
      throw new IllegalStateException("not recovered yet");
    }
    return replay;
  }

  private Listener told() {
    if (listener == null) {
      throw new IllegalStateException("not recovered yet");
    }
    return listener;
  }

  @Override
  public long backlogBytes() {
    return backlogBytes;
  }

  /** Says how much there is to write of what was appended. */
  public void setBacklogBytes(long bytes) {
    backlogBytes = bytes;
  }

  @Override
  public @Nullable CheckpointSink beginCheckpoint(Runnable whenRoom) {
    return null;
  }

  @Override
  public boolean takesSends() {
    return takesSends;
  }

  @Override
  public boolean isOnLastRoom() {
    return onLastRoom;
  }

  @Override
  public BodyArena newArena() {
    return new SimArena(this);
  }

  @Override
  public @Nullable Bodies fetch(long[] bodyIds, LoadListener whenLoaded) {
    fetches++;
    for (var id : bodyIds) {
      if (id >= appendedBelow) {
        throw new IllegalStateException("body " + id + " is asked for before it is appended");
      }
    }
    if (!holdLoads && failingLoads == 0 && allThere(bodyIds)) {
      return pin(bodyIds);
    }
    Runnable answer = () -> answer(bodyIds, whenLoaded);
    if (holdLoads) {
      heldLoads.add(answer);
    } else {
      shardExecutor.execute(answer);
    }
    return null;
  }

  private boolean allThere(long[] bodyIds) {
    for (var id : bodyIds) {
      if (!bodies.containsKey(id)) {
        return false;
      }
    }
    return true;
  }

  private void answer(long[] bodyIds, LoadListener whenLoaded) {
    if (failingLoads > 0) {
      failingLoads--;
      whenLoaded.unreadable(bodyIds[0], loadFailure);
      return;
    }
    for (var id : bodyIds) {
      if (!bodies.containsKey(id)) {
        whenLoaded.unreadable(id, new IOException("segment-1 at 42: checksum differs"));
        return;
      }
    }
    whenLoaded.loaded(pin(bodyIds));
  }

  private Bodies pin(long[] bodyIds) {
    pins++;
    var buffers = new ByteBuffer[bodyIds.length];
    for (var i = 0; i < bodyIds.length; i++) {
      var body = Objects.requireNonNull(bodies.get(bodyIds[i]), "only live bodies are pinned");
      buffers[i] = ByteBuffer.allocateDirect(body.length).put(body).flip();
    }
    return handedOut.apply(new Pinned(buffers));
  }

  /** Bodies on their way out. */
  private final class Pinned implements Bodies {
    private final ByteBuffer[] buffers;
    private final @Nullable HeapBody[] larges;
    private boolean released;

    Pinned(ByteBuffer[] buffers) {
      this.buffers = buffers;
      this.larges = new HeapBody[buffers.length];
      for (var i = 0; i < buffers.length; i++) {
        if (buffers[i].limit() > BodyArena.LARGE_BODY_BYTES) {
          larges[i] = new HeapBody(buffers[i]);
          pins++;
        }
      }
    }

    @Override
    public int count() {
      return buffers.length;
    }

    @Override
    public ByteBuffer buffer(int i) {
      return buffers[i];
    }

    @Override
    public int offset(int i) {
      return 0;
    }

    @Override
    public int length(int i) {
      return buffers[i].limit();
    }

    @Override
    public @Nullable LargeBody large(int i) {
      return larges[i];
    }

    @Override
    public void release() {
      pins -= released ? 0 : 1;
      released = true;
    }
  }

  /** A large body that lies on the heap. */
  private final class HeapBody implements LargeBody {
    private final ByteBuffer bytes;
    private boolean released;

    HeapBody(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    @Override
    public long length() {
      return bytes.limit();
    }

    @Override
    public void read(long position, int count, Executor reader, PieceListener whenRead) {
      var failure = pieceFailure;
      if (failure != null) {
        pieceFailure = null;
        reader.execute(() -> whenRead.failed(failure));
        return;
      }
      var from = Math.toIntExact(position);
      var piece = bytes.slice(from, Math.min(count, bytes.limit() - from));
      reader.execute(() -> whenRead.piece(piece));
    }

    @Override
    public void release() {
      pins -= released ? 0 : 1;
      released = true;
    }
  }

  @Override
  public void forget(long[] bodyIds) {
    for (var id : bodyIds) {
      bodies.remove(id);
    }
  }

  @Override
  public void close() {
    sync();
  }
}

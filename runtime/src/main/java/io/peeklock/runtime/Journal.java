package io.peeklock.runtime;

import io.peeklock.kernel.Fact;
import io.peeklock.runtime.meter.BodyRoom;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.meter.LogMeter;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log behind a shard, and the bodies in it: local files, memory, later a quorum. Called by its
 * shard only, except where said; nothing here blocks but {@link #recover} and {@link #close}.
 */
public interface Journal extends AutoCloseable {

  /**
   * Reads what is durable, oldest first, and makes it durable again before it returns (a replayed
   * but never synced frame must not be lost later). Blocks. Called before anything else, and again
   * after lost leadership was regained: only a journal that tells {@link Listener#lostLeadership}
   * is called twice. Files and memory of one process lead for ever, never tell it, and refuse a
   * second call; their end is {@link Listener#failed}.
   *
   * @param replay told about every batch
   * @param listener told from now on
   * @return where the log stands
   * @throws IOException when the log cannot be read, is damaged below its durable watermark, or
   *     lacks a file that a living body is in; the text names file and offset
   */
  Standing recover(Replay replay, Listener listener) throws IOException;

  /**
   * Takes a batch for the log. Order is kept; {@link Listener#durable} tells when it is safe. Never
   * fails here: a failed write or sync ends the journal through {@link Listener#failed}.
   */
  void append(Batch batch);

  /** Bytes appended and not yet durable; the shard slows its edges down above a bound. */
  long backlogBytes();

  /**
   * Whether a batch is wanted although nothing happened: one without a fact, so that a checkpoint
   * can follow the last one, or a file be ended. Without traffic the space of the dead could not be
   * given back else. Asked in every step.
   */
  default boolean needsNoopBatch() {
    return false;
  }

  /**
   * Begins a checkpoint of what is appended by now, when the log has grown enough since the last
   * one. Asked once in every step.
   *
   * @param whenRoom told, on the shard's thread, when the sink that had no room has some, and when
   *     this should be asked again although nothing happened
   * @return takes the facts of a snapshot that is begun at once; null when none is wanted
   */
  @Nullable CheckpointSink beginCheckpoint(Runnable whenRoom);

  /**
   * False while sends, and whatever else brings bytes, must be refused for want of space (design.md
   * 4 rule 9); what makes room goes on.
   */
  boolean takesSends();

  /**
   * Whether so little room is left that what only changes messages must be refused too, and only
   * what lets them go is taken. True only while {@link #takesSends} is false.
   */
  default boolean isOnLastRoom() {
    return false;
  }

  /** What it takes of the heap for stored bodies, if that grows with them. */
  @ShardThread
  default long heapBytes() {
    return 0;
  }

  /** The memory that it has for stored bodies, if that has a bound. */
  @ShardThread
  default BodyRoom bodyRoom() {
    return BodyRoom.UNBOUNDED;
  }

  /** What it did since it was opened; any thread may read it. */
  default LogMeter meter() {
    return LogMeter.NOTHING;
  }

  /** What its files take now, or its memory. */
  default Use use() {
    return new Use(0, 0, 0);
  }

  /** The memory that it bounds: what is taken of it now. */
  @AnyThread
  default List<BudgetUse> budgets() {
    return List.of();
  }

  /** A place to stage bodies, for one event loop. */
  @AnyThread
  BodyArena newArena();

  /**
   * Pins and reads bodies.
   *
   * @param bodyIds ids of live bodies; those of a batch are known from its append on
   * @param whenLoaded told later on the shard's thread when null is returned
   * @return the bodies when all are in memory, else null
   */
  @Nullable Bodies fetch(long[] bodyIds, LoadListener whenLoaded);

  /**
   * Bodies found dead by a replay, outside of any batch. Batches name theirs themselves.
   *
   * @param bodyIds ids that nothing refers to
   */
  void forget(long[] bodyIds);

  /** Writes and syncs what was appended, writes a watermark, and lets go of the folder. Blocks. */
  @Override
  void close();

  /**
   * Where a recovered log stands.
   *
   * @param term the term to lead in; higher than any in the log
   * @param lastIndex index of the last batch, 0 for none
   * @param lastTimeMillis shard time of the last batch, 0 for none
   */
  record Standing(long term, long lastIndex, long lastTimeMillis) {}

  /**
   * What a log takes.
   *
   * @param bytes of its segments, or of memory
   * @param liveBytes of living bodies among them
   * @param freeBytes what is free on its disk, beside the ballast; 0 where there is none
   */
  record Use(long bytes, long liveBytes, long freeBytes) {}

  /** Takes a snapshot part by part and makes a checkpoint of it, beside everything else. */
  interface CheckpointSink {
    /** Whether a part may be added now. */
    boolean hasRoom();

    /** Takes facts that rebuild a part of the state. */
    void add(List<Fact> part);

    /** Nothing more comes: the checkpoint counts once it is safe. A failure is only logged. */
    void complete();

    /** Nothing more comes, and what came is void. */
    void abandon();
  }

  /** Told about a checkpoint, if there is one, and then about the batches after it, in order. */
  interface Replay {
    /** A part of the state as it was after a batch. */
    void restored(long index, List<Fact> part);

    /** One durable batch. */
    void batch(long index, long predecessor, long timeMillis, List<Fact> facts);

    /**
     * All was told. Whoever knows of dead bodies calls {@link Journal#forget} now: of what is left
     * the journal judges whether it is there, before it changes anything.
     */
    default void ended() {}
  }

  /** Told what became of batches; on any thread, in order. */
  interface Listener {
    /** Everything up to this index is durable. */
    void durable(long index);

    /** Appends of this term are void beyond what is durable; the shard must be rebuilt. */
    void lostLeadership();

    /** A write or sync failed: nothing more will become durable, nothing more may be answered. */
    void failed(IOException cause);
  }

  /** Told about one fetch, on the shard's thread. */
  interface LoadListener {
    /** All are there. */
    void loaded(Bodies bodies);

    /**
     * A body could not be read or failed its checksum; the text names file and offset. With a
     * {@link ReadFault} it may be whole.
     */
    void unreadable(long bodyId, IOException cause);
  }
}

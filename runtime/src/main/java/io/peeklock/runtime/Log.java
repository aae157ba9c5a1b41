package io.peeklock.runtime;

import io.peeklock.kernel.fact.Fact;
import io.peeklock.runtime.meter.LogMeter;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.List;

/**
 * The ordered facts behind a shard: local files, memory, later a quorum. Called by its shard only,
 * except where said; nothing here blocks but {@link #recover} and {@link #close}.
 *
 * <p>A log is followed until it says that it leads, and then led until it says that this is lost:
 *
 * <pre>
 *   recover ─► following ── leads ──► leading ── lostLeadership ──► recover again ─► following …
 *                  └────────────────── failed ─────┴──► the end
 * </pre>
 *
 * <p>While it is followed, what others made durable is told to the {@link Replay}, and nothing is
 * appended. Files and memory of one process lead as soon as they are recovered, for ever.
 */
public interface Log extends AutoCloseable {

  /**
   * Reads what is durable, oldest first, and makes it durable again before it returns (a replayed
   * but never synced frame must not be lost later). Blocks. Called before anything else, and again
   * after leadership was lost: only a log that tells {@link Listener#lostLeadership} is called
   * twice. Files and memory of one process tell {@link Listener#leads} before this returns, never
   * lose it, and refuse a second call; their end is {@link Listener#failed}.
   *
   * @param replay told about every batch, on the shard's thread: now, and for as long as the log is
   *     followed
   * @param listener told from now on
   * @return where the log stands
   * @throws IOException when the log cannot be read, is damaged below its durable watermark, or
   *     lacks a file that a living body is in; the text names file and offset
   */
  Standing recover(Replay replay, Listener listener) throws IOException;

  /**
   * Takes a batch for the log, while that leads. Order is kept; {@link Listener#durable} tells when
   * it is safe. Never fails here: a failed write or sync ends the log through {@link
   * Listener#failed}. What was taken and is not yet durable when leadership is lost may have become
   * durable, or not: its outcome is not known, and nobody is told one.
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

  /** What it did since it was opened; any thread may read it. */
  default LogMeter meter() {
    return LogMeter.NOTHING;
  }

  /** What its files take now, or its memory. */
  default Use use() {
    return new Use(0, 0, 0);
  }

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

  /**
   * Told about a checkpoint, if there is one, and then about the batches after it, in order. Always
   * on the shard's thread.
   */
  interface Replay {
    /** A part of the state as it was after a batch. */
    void restored(long index, List<Fact> part);

    /** One durable batch. */
    void batch(long index, long predecessor, long timeMillis, List<Fact> facts);

    /**
     * A snapshot of another node is installed in place of what is here: all that was restored and
     * replayed is void, and what the snapshot has is told next. Only while the log is followed; who
     * reads a log that has no peers is never asked.
     */
    @ShardThread
    default void reset() {
      throw new UnsupportedOperationException("no snapshot of another node is expected here");
    }

    /**
     * All was told. Whoever knows of dead bodies calls {@link BodyStorage#forget} now: of what is
     * left the journal judges whether it is there, before it changes anything.
     */
    default void ended() {}
  }

  /** Told what became of batches and of the role; in order, and on any thread where not said. */
  interface Listener {
    /** Everything up to this index is durable. */
    void durable(long index);

    /**
     * The log leads: everything before was replayed, and it may be appended to. Told while it is
     * recovered, or later.
     *
     * @param standing where it begins to lead
     */
    @ShardThread
    default void leads(Standing standing) {}

    /**
     * The log steps down, or refused a batch. Appends of this term are void beyond what is durable,
     * by then or later; the shard must be rebuilt.
     */
    void lostLeadership();

    /** A write or sync failed: nothing more will become durable, nothing more may be answered. */
    void failed(IOException cause);
  }
}

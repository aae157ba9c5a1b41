package io.peeklock.runtime;

import io.peeklock.kernel.fact.Fact;
import io.peeklock.runtime.meter.LogMeter;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.List;

/**
 * The ordered facts of a shard: local files, memory, later a quorum. Called by its shard only,
 * except where said; only {@link #recover} and {@link #close} block.
 *
 * <p>A log is followed until it reports that it leads, and then led until it reports that
 * leadership is lost:
 *
 * <pre>
 *   recover ─► following ── leads ──► leading ── lostLeadership ──► recover again ─► following …
 *                  └────────────────── failed ─────┴──► the end
 * </pre>
 *
 * <p>While it is followed, batches that others made durable go to the {@link Replay}, and nothing
 * is appended. Files and memory of one process lead as soon as they are recovered, for ever.
 */
public interface Log extends AutoCloseable {

  /**
   * Reads what is durable, oldest first, and makes it durable again before it returns (a replayed
   * but never synced frame must not be lost later). Blocks. Called before anything else, and again
   * after leadership was lost: only a log that calls {@link Listener#lostLeadership} is recovered
   * twice. Files and memory of one process call {@link Listener#leads} before this returns, never
   * lose leadership, and refuse a second call; they end with {@link Listener#failed}.
   *
   * @param replay gets every batch, on the shard's thread: now, and as long as the log is followed
   * @param listener called from now on
   * @return where the log stands
   * @throws IOException when the log cannot be read, is damaged below its durable watermark, or
   *     lacks a file that a living body is in; the text names file and offset
   */
  Standing recover(Replay replay, Listener listener) throws IOException;

  /**
   * Appends a batch, while the log leads. Order is kept; {@link Listener#durable} reports when it
   * is safe. Never fails here: a failed write or sync ends the log through {@link Listener#failed}.
   * A batch that is not yet durable when leadership is lost may become durable, or not: its outcome
   * is unknown and never reported.
   *
   * <p>A shard learns later that its log lost leadership, failed or was closed, and appends until
   * then. Such a batch is void: the log releases its bodies, keeps nothing and reports nothing.
   * Whoever fetches its bodies is told behind {@link Listener#lostLeadership} or {@link
   * Listener#failed} that they are unreadable, or is never told.
   *
   * @param batch the log releases its bodies, here or later, whatever becomes of the batch
   */
  void append(Batch batch);

  /** Bytes appended and not yet durable; the shard slows its edges down above a bound. */
  long backlogBytes();

  /**
   * Whether the log wants a batch without facts, so that a checkpoint can follow the last one, or a
   * file can end. Otherwise dead space could not be freed without traffic. Asked in every step.
   */
  default boolean needsNoopBatch() {
    return false;
  }

  /**
   * False while sends, and other requests that bring bytes, must be refused for lack of space;
   * requests that make room are still decided.
   */
  boolean takesSends();

  /**
   * Whether so little room is left that requests that only change messages must be refused too, and
   * only those that remove messages are decided. True only while {@link #takesSends} is false.
   */
  default boolean isOnLastRoom() {
    return false;
  }

  /**
   * Whether copies with properties of their own may be made, by an action or as dead letters of a
   * failed filter. They were accepted with their message, so they have more room than sends; but
   * not without end, as one message makes many of them.
   */
  default boolean takesChangedCopies() {
    return !isOnLastRoom();
  }

  /** Counts what the log did since it was opened; any thread may read it. */
  default LogMeter meter() {
    return LogMeter.NOTHING;
  }

  /** The space that the log takes now, in files or memory. */
  default Use use() {
    return new Use(0, 0, 0);
  }

  /** Writes and syncs what was appended, writes a watermark, and releases the folder. Blocks. */
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
   * The space that a log takes.
   *
   * @param bytes of its segments, or of memory
   * @param liveBytes bytes of living bodies among them
   * @param freeBytes the free bytes of its disk, without the ballast; 0 for a log without a disk
   */
  record Use(long bytes, long liveBytes, long freeBytes) {}

  /**
   * Receives a checkpoint, if there is one, and then the batches after it, in order. Always on the
   * shard's thread.
   */
  interface Replay {
    /** A part of the state as it was after a batch. */
    void restored(long index, List<Fact> part);

    /** One durable batch. */
    void batch(long index, long predecessor, long timeMillis, List<Fact> facts);

    /**
     * A snapshot of another node replaces the state: everything restored and replayed is void, and
     * the contents of the snapshot follow. Only while the log is followed; never called for a log
     * without peers.
     */
    @ShardThread
    default void reset() {
      throw new UnsupportedOperationException("no snapshot of another node is expected here");
    }

    /**
     * The end of the replay. A replay that knows of dead bodies calls {@link BodyStorage#forget}
     * now; the journal then checks that all others exist, before it changes anything.
     */
    default void ended() {}
  }

  /** Learns what becomes of batches and of the role; in order, on any thread unless said. */
  interface Listener {
    /** Everything up to this index is durable. */
    void durable(long index);

    /**
     * The log leads: everything earlier was replayed, and it accepts batches. Called during
     * recovery or later.
     *
     * @param standing the position at which it begins to lead
     */
    @ShardThread
    default void leads(Standing standing) {}

    /**
     * The log lost leadership, or refused a batch. Appends of this term are void, except those that
     * are durable by then or later; the shard must be rebuilt.
     */
    void lostLeadership();

    /** A write or sync failed: nothing more becomes durable, and nothing more may be answered. */
    void failed(IOException cause);
  }
}

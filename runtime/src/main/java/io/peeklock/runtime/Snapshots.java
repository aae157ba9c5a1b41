package io.peeklock.runtime;

import io.peeklock.kernel.fact.Fact;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores snapshots of the state, so that the log need not be read from its beginning. Called by its
 * shard only; nothing here blocks. A snapshot of another node is installed by the log ({@link
 * Log.Replay#reset}).
 */
public interface Snapshots {

  /**
   * Begins a checkpoint of everything appended so far, if the log has grown enough since the last
   * one. Called once in every step.
   *
   * @param whenRoom called, on the shard's thread, when the sink has room again, and when this
   *     method should be called again although nothing happened
   * @return takes the facts of a snapshot that the caller begins at once; null when none is wanted
   */
  @Nullable CheckpointSink beginCheckpoint(Runnable whenRoom);

  /** Makes a checkpoint from a snapshot, part by part, in the background. */
  interface CheckpointSink {
    /** Whether a part may be added now. */
    boolean hasRoom();

    /** Takes facts that rebuild a part of the state. */
    void add(List<Fact> part);

    /** Ends the snapshot: the checkpoint is valid once it is durable. A failure is only logged. */
    void complete();

    /** Ends the snapshot and drops the checkpoint. */
    void abandon();
  }
}

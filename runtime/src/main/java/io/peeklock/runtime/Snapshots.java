package io.peeklock.runtime;

import io.peeklock.kernel.fact.Fact;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the state is kept so that the log need not be read from its beginning. Called by its shard
 * only; nothing here blocks. That of another node is installed by the log ({@link
 * Log.Replay#reset}).
 */
public interface Snapshots {

  /**
   * Begins a checkpoint of what is appended by now, when the log has grown enough since the last
   * one. Asked once in every step.
   *
   * @param whenRoom told, on the shard's thread, when the sink that had no room has some, and when
   *     this should be asked again although nothing happened
   * @return takes the facts of a snapshot that is begun at once; null when none is wanted
   */
  @Nullable CheckpointSink beginCheckpoint(Runnable whenRoom);

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
}

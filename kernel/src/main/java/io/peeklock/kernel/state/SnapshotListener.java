package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;

/** A snapshot in progress, which must save parts of the state before they change. */
public interface SnapshotListener {

  /** Called before a fact is applied. */
  void beforeFact(Fact fact);

  /** Called before a message of this chunk changes, comes or goes. */
  void beforeChange(ChunkDirectory changing, int chunk);

  /** Called before the state of this session changes. */
  void beforeStateChange(QueueId queue, String sessionId);
}

package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.entity.QueueId;

/** A snapshot that is being taken, which must have what is about to change as it is. */
public interface SnapshotListener {

  /** A message of this chunk is about to change, or to come or go. */
  void beforeChange(ChunkDirectory changing, int chunk);

  /** The state of this session is about to change. */
  void beforeStateChange(QueueId queue, String sessionId);
}

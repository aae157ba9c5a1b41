package io.peeklock.journal;

import io.peeklock.runtime.Log;
import io.peeklock.runtime.thread.AnyThread;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports durable indexes to the shard in order, and a failure once; after a failure it reports
 * nothing more (I-10).
 */
@AnyThread
public final class CommitNotifier {
  private static final Logger LOG = LoggerFactory.getLogger(CommitNotifier.class);

  private Log.@Nullable Listener listener;
  private volatile boolean ended;
  private volatile long durableIndex;

  /**
   * Sets the listener.
   *
   * @param recoveredIndex up to where the log is durable already
   */
  public synchronized void start(Log.Listener to, long recoveredIndex) {
    listener = to;
    durableIndex = recoveredIndex;
  }

  /** Reports that everything up to this index is durable; ignored after the end. */
  public synchronized void durable(long index) {
    if (!ended && listener != null) {
      durableIndex = index;
      listener.durable(index);
    }
  }

  /** Ends the log with a failure; only the first is reported, later ones are logged. */
  public synchronized void failed(IOException cause) {
    if (ended) {
      LOG.warn("The log had failed already; then: {}", cause.getMessage());
      return;
    }
    ended = true;
    LOG.error("The log failed; nothing more is accepted until a restart: {}", cause.getMessage());
    LOG.debug("Where it failed", cause);
    if (listener != null) {
      listener.failed(cause);
    }
  }

  /** Ends the log without a failure: nothing more is reported. */
  public synchronized void close() {
    ended = true;
  }

  /** Whether the log has failed or was closed. */
  public boolean ended() {
    return ended;
  }

  /** The last index reported as durable. */
  public long durableIndex() {
    return durableIndex;
  }
}

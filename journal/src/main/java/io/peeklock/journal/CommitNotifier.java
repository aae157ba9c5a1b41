package io.peeklock.journal;

import io.peeklock.runtime.Log;
import io.peeklock.runtime.thread.AnyThread;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latch behind every promise (I-10): what is durable is told in order, a failure is told once,
 * and after it nothing is ever told again.
 */
@AnyThread
public final class CommitNotifier {
  private static final Logger LOG = LoggerFactory.getLogger(CommitNotifier.class);

  private Log.@Nullable Listener listener;
  private volatile boolean ended;
  private volatile long durableIndex;

  public synchronized void start(Log.Listener to, long recoveredIndex) {
    listener = to;
    durableIndex = recoveredIndex;
  }

  public synchronized void durable(long index) {
    if (!ended && listener != null) {
      durableIndex = index;
      listener.durable(index);
    }
  }

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

  /** Closed in order: nothing more is told. */
  public synchronized void close() {
    ended = true;
  }

  public boolean ended() {
    return ended;
  }

  public long durableIndex() {
    return durableIndex;
  }
}

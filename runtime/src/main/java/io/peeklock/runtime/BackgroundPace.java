package io.peeklock.runtime;

import io.peeklock.runtime.thread.ShardThread;

/**
 * Whether work without a request may go on: copies, forwarded messages, and what time makes due. It
 * makes changes faster than a disk takes them, and every answer waits for all that the log has to
 * write before it. So where the log is behind there is one batch of such work on its way at a time,
 * and what clients ask for waits for that at most.
 */
@ShardThread
final class BackgroundPace {
  /** What the log may have to write, of anybody, without that the work waits. */
  private static final long MOST_BEHIND = 1 << 20;

  private final Log log;
  private long lastIndex; // of a batch with such work
  private boolean waits;

  BackgroundPace(Log log) {
    this.log = log;
  }

  /**
   * Whether the work may go on.
   *
   * @param durable the index up to which the log is durable
   */
  boolean goesOn(long durable) {
    waits = log.backlogBytes() > MOST_BEHIND && durable < lastIndex;
    return !waits;
  }

  /** The batch with this index has such work. */
  void did(long index) {
    lastIndex = index;
  }

  /** Whether the last look found that the work waits for the log. */
  boolean waits() {
    return waits;
  }

  /** Begins anew, with a log of which all is durable. */
  void begin() {
    lastIndex = 0;
    waits = false;
  }
}

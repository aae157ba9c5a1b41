package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;

/**
 * The thread of a shard: an event loop on small machines, a dedicated thread on larger ones, the
 * simulator's scheduler in tests.
 */
public interface ShardExecutor {

  /** Runs a task on the shard's thread, after what runs there now. */
  @AnyThread
  void execute(Runnable task);

  /** Runs a task on the shard's thread after at least this many milliseconds. */
  @AnyThread
  void executeLater(long millis, Runnable task);
}

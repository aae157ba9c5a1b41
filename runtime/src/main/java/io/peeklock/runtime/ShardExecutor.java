package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;

/**
 * The thread that a shard lives on: an event loop on small machines, a thread of its own on larger
 * ones, the simulator's scheduler in tests.
 */
public interface ShardExecutor {

  /** Runs a task on the shard's thread, after what runs there now. */
  @AnyThread
  void execute(Runnable task);

  /** Runs a task on the shard's thread after so many milliseconds, at least. */
  @AnyThread
  void executeLater(long millis, Runnable task);
}

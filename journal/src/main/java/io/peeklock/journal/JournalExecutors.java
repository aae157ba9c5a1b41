package io.peeklock.journal;

/**
 * The threads of a journal: each runs its tasks one after another, in order. An interface, so that
 * a test can run all of them on one thread. Threads are never interrupted: an interrupt would close
 * the file channels of the log.
 */
public interface JournalExecutors {

  /** The thread that appends and syncs. */
  void log(Runnable task);

  /** The same, after this many milliseconds; dropped when {@link #leave} comes first. */
  void logLater(long millis, Runnable task);

  /** The thread that reads bodies. */
  void reads(Runnable task);

  /** The thread that writes large bodies and removes files. */
  void files(Runnable task);

  /** The thread that writes checkpoints. */
  void checkpoints(Runnable task);

  /** The thread that copies living bodies out of mostly dead files. */
  void compaction(Runnable task);

  /** The same, after this many milliseconds; dropped when {@link #leave} comes first. */
  void compactionLater(long millis, Runnable task);

  /** A clock for pauses. */
  long nanoTime();

  /** Accepts no more tasks, and returns when all accepted ones are done. */
  void leave();
}

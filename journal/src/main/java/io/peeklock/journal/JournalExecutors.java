package io.peeklock.journal;

/**
 * The threads of a journal: each takes its tasks one after the other, in order. A seam, so that a
 * test can be the only thread. Nobody is ever interrupted: an interrupt would close the file
 * channels under the log.
 */
public interface JournalExecutors {

  /** The thread that appends and syncs. */
  void log(Runnable task);

  /** The same, after so many milliseconds; forgotten when the executors end first. */
  void logLater(long millis, Runnable task);

  /** The thread that reads bodies. */
  void reads(Runnable task);

  /** The thread that writes large bodies and removes files. */
  void files(Runnable task);

  /** The thread that writes checkpoints. */
  void checkpoints(Runnable task);

  /** The thread that copies what lives out of mostly dead files. */
  void compaction(Runnable task);

  /** The same, after so many milliseconds; forgotten when the executors end first. */
  void compactionLater(long millis, Runnable task);

  /** A clock for pauses. */
  long nanoTime();

  /** Takes no more tasks, and returns when all taken ones are done. */
  void leave();
}

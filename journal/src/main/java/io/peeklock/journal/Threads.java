package io.peeklock.journal;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a journal on five threads. */
public final class Threads implements JournalExecutors {
  private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

  private final ScheduledThreadPoolExecutor log =
      new ScheduledThreadPoolExecutor(1, task -> named("peeklock-log", task));
  private final ExecutorService reads =
      Executors.newSingleThreadExecutor(task -> named("peeklock-reads", task));
  private final ExecutorService files =
      Executors.newSingleThreadExecutor(task -> named("peeklock-files", task));
  private final ExecutorService checkpoints =
      Executors.newSingleThreadExecutor(task -> named("peeklock-checkpoints", task));

  private final ScheduledThreadPoolExecutor compaction =
      new ScheduledThreadPoolExecutor(1, task -> named("peeklock-compaction", task));

  /** Creates the threads, which start with their first tasks. */
  public Threads() {
    log.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    compaction.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static Thread named(String name, Runnable task) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void log(Runnable task) {
    give(log, task);
  }

  @Override
  public void logLater(long millis, Runnable task) {
    giveLater(log, millis, task);
  }

  private static void giveLater(ScheduledThreadPoolExecutor thread, long millis, Runnable task) {
    try {
      var ignored = thread.schedule(task, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException left) {
      LOG.debug("The journal is closed; a timer is dropped", left);
    }
  }

  @Override
  public void reads(Runnable task) {
    give(reads, task);
  }

  @Override
  public void files(Runnable task) {
    give(files, task);
  }

  @Override
  public void checkpoints(Runnable task) {
    give(checkpoints, task);
  }

  @Override
  public void compaction(Runnable task) {
    give(compaction, task);
  }

  @Override
  public void compactionLater(long millis, Runnable task) {
    giveLater(compaction, millis, task);
  }

  private static void give(ExecutorService thread, Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException left) {
      LOG.debug("The journal is closed; a task is dropped", left);
    }
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void leave() {
    var interrupted = false;
    for (var thread : new ExecutorService[] {compaction, checkpoints, log, files, reads}) {
      thread.shutdown();
      while (!thread.isTerminated()) {
        try {
          var ignored = thread.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException later) {
          interrupted = true; // A log that is half closed is worse than a late answer.
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

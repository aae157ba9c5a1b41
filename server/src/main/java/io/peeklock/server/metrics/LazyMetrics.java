package io.peeklock.server.metrics;

import io.peeklock.runtime.thread.AnyThread;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Metrics that are set up when somebody looks at them for the first time, because it would be a
 * good part of a start; at the start where they are to be pushed.
 */
@AnyThread
public final class LazyMetrics implements AutoCloseable {
  private final Sources sources;
  private final ExecutorService renderer =
      Executors.newSingleThreadExecutor(
          task -> {
            var thread = new Thread(task, "peeklock-metrics");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable Metrics metrics;
  private boolean closed;

  /** Those of a broker that is up. */
  public LazyMetrics(Sources sources) {
    this.sources = sources;
  }

  /** Clients can connect from now on: begins to push, where that is asked for. */
  public void begin() {
    if (Push.isAskedFor()) {
      var unused = present();
    }
  }

  /** As {@link Metrics#page}; nothing of it is done on the caller's thread. */
  CompletableFuture<List<byte[]>> page() {
    try {
      return CompletableFuture.supplyAsync(this::present, renderer).thenCompose(Metrics::page);
    } catch (RejectedExecutionException closing) {
      return CompletableFuture.failedFuture(closing);
    }
  }

  private synchronized Metrics present() {
    if (closed) {
      throw new IllegalStateException("the broker is stopping");
    }
    var known = metrics;
    if (known == null) {
      known = new Metrics(sources, renderer);
      metrics = known;
    }
    return known;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (metrics != null) {
      metrics.close();
    }
    renderer.shutdownNow();
  }
}

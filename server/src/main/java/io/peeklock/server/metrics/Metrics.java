package io.peeklock.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.meter.DurationMeter;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All metrics of a broker: as a page for Prometheus, and pushed to OpenTelemetry where the
 * environment says to where. What is shown is asked for when somebody looks; between looks nothing
 * is done. Safe for any thread.
 */
final class Metrics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);

  private final Sources sources;
  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final EntityMetrics entities;
  private final ExecutorService painter =
      Executors.newSingleThreadExecutor(
          task -> {
            var thread = new Thread(task, "peeklock-metrics");
            thread.setDaemon(true);
            return thread;
          });
  private volatile Journal.Use use = new Journal.Use(0, 0, 0);
  private @Nullable CompletableFuture<Void> refreshing;

  /**
   * The metrics of a broker that is up.
   *
   * @param sources where they come from
   */
  Metrics(Sources sources) {
    this.sources = sources;
    registry.add(prometheus);
    Push.ifAskedFor(this::refresh).ifPresent(registry::add);
    this.entities = new EntityMetrics(registry, sources.meters());
    bindProcess();
    bindConnections();
    bindLog();
    Gauge.builder("peeklock.info", () -> 1)
        .description("Which version runs")
        .tag("version", sources.version())
        .register(registry);
  }

  private void bindProcess() {
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    collections.bindTo(registry);
  }

  private void bindConnections() {
    Gauge.builder("peeklock.connections", sources, from -> from.connections().open())
        .description("Connections that are open, whatever they speak")
        .register(registry);
    FunctionCounter.builder(
            "peeklock.connections.opened", sources, from -> from.connections().accepted())
        .description("Connections that were let in")
        .register(registry);
    FunctionCounter.builder(
            "peeklock.connections.closed",
            sources,
            from -> from.connections().accepted() - from.connections().open())
        .description("Connections that ended")
        .register(registry);
    FunctionCounter.builder(
            "peeklock.connections.refused", sources, from -> from.connections().refused())
        .description("Connections that were not let in because of a limit")
        .register(registry);
  }

  private void bindLog() {
    var log = sources.log();
    FunctionTimer.builder(
            "peeklock.log.sync",
            log.syncs(),
            DurationMeter::count,
            DurationMeter::nanos,
            TimeUnit.NANOSECONDS)
        .description("Syncs of the log; each accepted message waited for one")
        .register(registry);
    TimeGauge.builder(
            "peeklock.log.sync.longest",
            log.syncs(),
            TimeUnit.NANOSECONDS,
            DurationMeter::longestNanos)
        .description("The longest of them since the start")
        .register(registry);
    FunctionCounter.builder("peeklock.log.written", log, from -> from.writtenBytes())
        .baseUnit("bytes")
        .description("Bytes of batches and bodies")
        .register(registry);
    FunctionCounter.builder("peeklock.log.checkpoints", log, from -> from.checkpoints())
        .description("Checkpoints that count")
        .register(registry);
    FunctionCounter.builder(
            "peeklock.log.checkpoints.failed", log, from -> from.failedCheckpoints())
        .description("Checkpoints that came to nothing")
        .register(registry);
    size("peeklock.log.size", "What the log takes, on disk or in memory", Journal.Use::bytes);
    size("peeklock.log.live", "What of it is alive", Journal.Use::liveBytes);
    size("peeklock.disk.free", "What is free beside the log", Journal.Use::freeBytes);
  }

  private interface Size {
    long of(Journal.Use use);
  }

  private void size(String name, String description, Size size) {
    Gauge.builder(name, this, from -> (double) size.of(from.use))
        .baseUnit("bytes")
        .description(description)
        .register(registry);
  }

  /** The page, once everything was asked anew. Completes on a thread of its own. */
  CompletableFuture<String> page() {
    return refresh().thenApplyAsync(ignored -> prometheus.scrape(), painter);
  }

  /** Asks for what is not counted as it happens; several at once share one answer. */
  private synchronized CompletableFuture<Void> refresh() {
    var running = refreshing;
    if (running != null && !running.isDone()) {
      return running;
    }
    var entries = new ArrayList<>(sources.broker().catalogue().queues().values());
    var queues = entries.stream().map(entry -> entry.queue()).toList();
    var asked =
        EntityQuestion.ask(sources.broker(), queues)
            .thenCombine(
                sources.use(),
                (answer, now) -> {
                  use = now;
                  return answer;
                })
            .thenAcceptAsync(answer -> entities.refresh(entries, answer.counts()), painter);
    refreshing = asked;
    return asked;
  }

  @Override
  public void close() {
    registry.getRegistries().forEach(one -> one.close());
    collections.close();
    painter.shutdownNow();
    LOG.debug("Metrics are closed");
  }
}

package io.peeklock.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
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
import io.peeklock.runtime.thread.AnyThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All metrics of a broker: as a page for Prometheus, and pushed to OpenTelemetry where the
 * environment says to where. What is shown is asked for when somebody looks; between looks nothing
 * is done.
 */
@AnyThread
final class Metrics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);

  private final Sources sources;
  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final List<NamespaceMetrics> namespaces = new ArrayList<>();
  private final Executor renderer;
  private @Nullable CompletableFuture<Void> refreshing;
  private volatile boolean isReady = true;

  /**
   * The metrics of a broker that is up.
   *
   * @param sources where they come from
   * @param renderer one thread, which what takes long is done on
   */
  Metrics(Sources sources, Executor renderer) {
    this.sources = sources;
    this.renderer = renderer;
    registry.add(prometheus);
    Push.ifAskedFor(this::refresh).ifPresent(registry::add);
    bindProcess();
    bindConnections();
    BudgetMetrics.bind(registry, sources::budgets, Tags.empty());
    bindLoops();
    var several = sources.namespaces().size() > 1;
    for (var source : sources.namespaces()) {
      // Where there is one, what was written for one namespace goes on to fit.
      var tags = several ? Tags.of("namespace", source.name()) : Tags.empty();
      namespaces.add(new NamespaceMetrics(registry, source, tags));
    }
    Gauge.builder("peeklock.ready", this, from -> from.isReady ? 1 : 0)
        .description("Whether /health/ready says so")
        .register(registry);
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
            "peeklock.connections.unheard", sources, from -> from.connections().unheard())
        .description("Connections of a crowd that had hung up before they were let in")
        .register(registry);
    refused("unauthenticated", from -> from.connections().evicted());
    refused("authenticated", from -> from.connections().refused());
  }

  private void refused(String who, ToDoubleFunction<Sources> count) {
    FunctionCounter.builder("peeklock.connections.refused", sources, count)
        .description("Connections that were closed because of a limit")
        .tag("who", who)
        .register(registry);
  }

  private void bindLoops() {
    var delays = sources.loopDelays();
    for (var i = 0; i < delays.size(); i++) {
      var tags = Tags.of("loop", String.valueOf(i));
      Durations.bind(
          registry,
          "peeklock.event_loop.delay",
          "How late a task of an event loop came: so long nobody on it was served",
          delays.get(i),
          tags);
    }
  }

  /** The page, in pieces, once everything was asked anew. Completes on a thread of its own. */
  CompletableFuture<List<byte[]>> page() {
    return refresh().thenApplyAsync(ignored -> render(), renderer);
  }

  private List<byte[]> render() {
    var pieces = new Pieces();
    try {
      prometheus.scrape(pieces);
    } catch (IOException impossible) {
      throw new IllegalStateException("memory can be written", impossible);
    }
    return pieces.all();
  }

  /** Asks for what is not counted as it happens; several at once share one answer. */
  private synchronized CompletableFuture<Void> refresh() {
    var running = refreshing;
    if (running != null && !running.isDone()) {
      return running;
    }
    var all = new ArrayList<CompletableFuture<Void>>();
    all.add(sources.unready().thenAccept(trouble -> isReady = trouble.isEmpty()));
    namespaces.forEach(namespace -> all.add(namespace.refresh(renderer)));
    var asked = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    refreshing = asked;
    return asked;
  }

  @Override
  public void close() {
    registry.getRegistries().forEach(one -> one.close());
    collections.close();
    LOG.debug("Metrics are closed");
  }
}

package io.peeklock.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.runtime.EntityCounting;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.meter.LogMeter;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The metrics of one namespace: of its log and its entities. */
final class NamespaceMetrics {
  private final MeterRegistry registry;
  private final NamespaceSource source;
  private final Tags tags;
  private final EntityMetrics entities;
  private volatile Log.Use use = new Log.Use(0, 0, 0);

  /**
   * Those of a namespace that is open.
   *
   * @param tags what tells it apart from others
   */
  NamespaceMetrics(MeterRegistry registry, NamespaceSource source, Tags tags) {
    this.registry = registry;
    this.source = source;
    this.tags = tags;
    this.entities =
        new EntityMetrics(
            registry, source.meters(), source.forwardedIsIncoming(), tags, source.meterRoom());
    Gauge.builder("peeklock.metrics.entities.left_out", entities, EntityMetrics::leftOut)
        .description("Entities whose metrics are not shown for want of memory")
        .tags(tags)
        .register(registry);
    bindLog();
    BudgetMetrics.bind(registry, source::budgets, tags);
    FunctionCounter.builder("peeklock.requests.throttled", source, from -> from.throttled())
        .description("Requests that were refused because the namespace is throttled")
        .tags(tags)
        .register(registry);
    Gauge.builder("peeklock.clock.ahead", source, from -> from.clockAheadMillis() / 1_000.0)
        .baseUnit("seconds")
        .description("How far shard time is ahead of the machine's clock, which was wrong once")
        .tags(tags)
        .register(registry);
    Gauge.builder("peeklock.standing", source, from -> from.stoodMillis() / 1_000.0)
        .baseUnit("seconds")
        .description("How long schedules, forwards or reads have stood still with work to do")
        .tags(tags)
        .register(registry);
    bindWaits();
  }

  private void bindWaits() {
    for (var reason : WaitReason.values()) {
      Gauge.builder("peeklock.entities.held.up", source, from -> from.waits().queues(reason))
          .description(
              "Entities whose messages should move by themselves and have not for a second")
          .tags(tags.and("reason", reason.name().toLowerCase(Locale.ROOT)))
          .register(registry);
    }
  }

  private void bindLog() {
    var log = source.log();
    Durations.bind(
        registry,
        "peeklock.log.sync",
        "Syncs of the log; each accepted message waited for one",
        log.syncs(),
        tags);
    Durations.bind(
        registry,
        "peeklock.shard.step",
        "Steps of the shard: in each one decides for all who ask, one after the other",
        source.meters().steps(),
        tags);
    FunctionCounter.builder("peeklock.log.written", log, from -> from.writtenBytes())
        .baseUnit("bytes")
        .description("Bytes of batches and bodies")
        .tags(tags)
        .register(registry);
    bindUpkeep(log);
    size("peeklock.log.size", "What the log takes, on disk or in memory", Log.Use::bytes);
    size("peeklock.log.live", "What of it is alive", Log.Use::liveBytes);
    size("peeklock.disk.free", "What is free beside the log", Log.Use::freeBytes);
  }

  private void bindUpkeep(LogMeter log) {
    FunctionCounter.builder("peeklock.log.checkpoints", log, from -> from.checkpoints())
        .description("Checkpoints that count")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder(
            "peeklock.log.checkpoints.failed", log, from -> from.failedCheckpoints())
        .description("Checkpoints that came to nothing")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder("peeklock.log.compactions", log, from -> from.compactions())
        .description("Runs that copied what lives out of mostly dead files of the log")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder(
            "peeklock.log.compactions.failed", log, from -> from.failedCompactions())
        .description("Such runs that came to nothing")
        .tags(tags)
        .register(registry);
  }

  private interface Size {
    long of(Log.Use use);
  }

  private void size(String name, String description, Size size) {
    Gauge.builder(name, this, from -> (double) size.of(from.use))
        .baseUnit("bytes")
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /**
   * Asks for what is not counted as it happens.
   *
   * @param renderer who takes the answer over
   */
  CompletableFuture<Void> refresh(Executor renderer) {
    var entries = new ArrayList<>(source.broker().catalogue().queues().values());
    var queues = entries.stream().map(entry -> entry.queue()).toList();
    var counted = EntityCounting.of(source.broker(), queues);
    var used = source.use();
    return CompletableFuture.allOf(counted, used)
        .thenRunAsync(
            () -> {
              use = used.join();
              entities.refresh(entries, counted.join());
            },
            renderer);
  }
}

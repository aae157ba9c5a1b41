package io.peeklock.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.meter.Count;
import io.peeklock.runtime.meter.EntityMeter;
import io.peeklock.runtime.meter.ShardMeters;
import io.peeklock.runtime.thread.AnyThread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of each entity. They follow the catalogue at every {@link #refresh}: those of a
 * deleted entity go. A counter appears with its first event, so that thousands of idle entities
 * cost little. Entities and counters for which there is no room are left out. One thread at a time.
 */
final class EntityMetrics {
  private static final String DEAD_LETTERS = "/$DeadLetterQueue";
  private static final int GAUGES = 8;
  private static final EntityCounts EMPTY = new EntityCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  private final MeterRegistry registry;
  private final ShardMeters source;
  private final boolean forwardedIsIncoming;
  private final Tags common;
  private final MeterRoom room;
  private final Map<QueueId, Shown> shown = new HashMap<>();
  private volatile int leftOut;

  /**
   * Those of one namespace.
   *
   * @param forwardedIsIncoming whether what another entity forwards is incoming too (S-300)
   * @param common what all of them say
   * @param room for what is shown
   */
  EntityMetrics(
      MeterRegistry registry,
      ShardMeters source,
      boolean forwardedIsIncoming,
      Tags common,
      MeterRoom room) {
    this.registry = registry;
    this.source = source;
    this.forwardedIsIncoming = forwardedIsIncoming;
    this.common = common;
    this.room = room;
  }

  /** One entity's. */
  private static final class Shown {
    final List<Meter> meters = new ArrayList<>();
    final Map<Count, Meter> counters = new EnumMap<>(Count.class);
    final Map<Count, Meter> ofDeadLetters = new EnumMap<>(Count.class);
    volatile EntityCounts counts = EMPTY;
  }

  /**
   * Takes over what is there now.
   *
   * @param counts in the order of the entries; null where an entity is gone by now
   */
  void refresh(List<Catalogue.Entry> entries, List<@Nullable EntityCounts> counts) {
    var gone = new HashSet<>(shown.keySet());
    entries.forEach(entry -> gone.remove(entry.queue()));
    gone.forEach(this::remove); // first: an entity that was emptied is another of the same path
    var without = 0;
    for (var i = 0; i < entries.size(); i++) {
      var entry = entries.get(i);
      var entity = shown.get(entry.queue());
      if (entity == null) {
        if (!room.take(GAUGES)) {
          without++;
          continue;
        }
        entity = gauges(entry);
        shown.put(entry.queue(), entity);
      }
      var now = counts.get(i);
      entity.counts = now == null ? EMPTY : now;
      var path = entry.definition().path();
      count(entity.counters, path, entry, source.of(entry.queue()));
      count(entity.ofDeadLetters, path + DEAD_LETTERS, entry, source.of(entry.deadLetterQueue()));
    }
    leftOut = without;
  }

  /** How many entities are not shown for want of room. */
  @AnyThread
  int leftOut() {
    return leftOut;
  }

  private void count(
      Map<Count, Meter> counters, String path, Catalogue.Entry entry, EntityMeter meter) {
    for (var what : Count.values()) {
      if (read(meter, what) > 0 && !counters.containsKey(what) && room.take(1)) {
        counters.put(
            what,
            FunctionCounter.builder(
                    "peeklock." + CounterNames.of(what), meter, of -> (double) read(of, what))
                .description(CounterNames.describe(what))
                .tags(tags(path, entry).and(CounterNames.tags(what)))
                .register(registry));
      }
    }
  }

  private long read(EntityMeter meter, Count what) {
    var too = what == Count.INCOMING && forwardedIsIncoming ? meter.read(Count.FORWARDED_HERE) : 0;
    return meter.read(what) + too;
  }

  private Shown gauges(Catalogue.Entry entry) {
    var entity = new Shown();
    state(entity, entry, "active", counts -> counts.active());
    state(entity, entry, "dead_letter", counts -> counts.deadLetters());
    state(entity, entry, "scheduled", counts -> counts.scheduled());
    state(entity, entry, "transfer", counts -> counts.transfers());
    state(entity, entry, "transfer_dead_letter", counts -> counts.transferDeadLetters());
    part(entity, entry, "deferred", counts -> counts.deferred());
    part(entity, entry, "locked", counts -> counts.locked());
    entity.meters.add(
        Gauge.builder("peeklock.entity.size", entity, of -> (double) of.counts.bytes())
            .baseUnit("bytes")
            .description("What its messages take")
            .tags(tags(entry.definition().path(), entry))
            .register(registry));
    return entity;
  }

  private void state(
      Shown entity, Catalogue.Entry entry, String state, ToDoubleFunction<EntityCounts> value) {
    entity.meters.add(
        Gauge.builder("peeklock.messages", entity, of -> value.applyAsDouble(of.counts))
            .description("Messages that an entity holds, by where they stand")
            .tags(tags(entry.definition().path(), entry).and("state", state))
            .register(registry));
  }

  /** Not a state of {@code peeklock.messages}: the sum over those is all messages. */
  private void part(
      Shown entity, Catalogue.Entry entry, String part, ToDoubleFunction<EntityCounts> value) {
    entity.meters.add(
        Gauge.builder("peeklock.active.messages", entity, of -> value.applyAsDouble(of.counts))
            .description("Of its active messages, those that are deferred or under a lock")
            .tags(tags(entry.definition().path(), entry).and("part", part))
            .register(registry));
  }

  private Tags tags(String path, Catalogue.Entry entry) {
    var kind =
        switch (entry.definition().role()) {
          case QueueRole.Queue queue -> "queue";
          case QueueRole.Topic topic -> "topic";
          case QueueRole.Subscription subscription -> "subscription";
          case QueueRole.Transfers transfers -> "transfers";
        };
    return common.and("entity", path, "kind", kind);
  }

  private void remove(QueueId id) {
    var entity = shown.remove(id);
    if (entity != null) {
      entity.meters.forEach(registry::remove);
      entity.counters.values().forEach(registry::remove);
      entity.ofDeadLetters.values().forEach(registry::remove);
      room.give(entity.meters.size() + entity.counters.size() + entity.ofDeadLetters.size());
    }
  }
}

package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.world.Chance;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked about entities as a whole. */
final class Entities {
  static final String SUBSCRIPTIONS = "/Subscriptions/";
  static final String DEAD_LETTERS = "/$DeadLetterQueue";
  private static final long FOREVER = Long.MAX_VALUE;

  private final Swarm swarm;
  private final Known known;

  Entities(Swarm swarm, Known known) {
    this.swarm = swarm;
    this.known = known;
  }

  /** How many there can be. */
  int most() {
    return swarm.queues() + swarm.topics() * 3;
  }

  Operation create(Chance chance) {
    if (swarm.topics() > 0 && chance.oneIn(2)) {
      var topic = topic(chance);
      var isThere = known.entities.containsKey(topic);
      return isThere && !chance.oneIn(5)
          ? new Operation.CreateSubscription(
              topic + SUBSCRIPTIONS + "s" + chance.between(1, 2),
              properties(chance, false),
              chance.oneIn(2) ? null : List.of(rule(chance), rule(chance, "r2")))
          : new Operation.CreateTopic(topic, properties(chance, true));
    }
    return new Operation.CreateQueue(queue(chance), properties(chance, false));
  }

  private String queue(Chance chance) {
    return "q" + chance.between(1, swarm.queues());
  }

  private String topic(Chance chance) {
    return "t" + chance.between(1, swarm.topics());
  }

  private Properties properties(Chance chance, boolean isTopic) {
    var hasSessions = has(swarm.sessions(), 2, chance) && !isTopic;
    var forwards = has(swarm.forwarding(), 3, chance) && !hasSessions && !isTopic;
    return new Properties(
        chance.of(1_000L, 3_000L, 20_000L),
        chance.of(1, 2, 3, 10),
        has(swarm.timeToLive(), 2, chance) ? chance.of(1_000L, 4_000L, 30_000L) : FOREVER,
        chance.oneIn(2),
        chance.oneIn(2),
        hasSessions,
        has(swarm.duplicates(), 2, chance) ? 20_000 : 0,
        has(swarm.quotas(), 2, chance) ? chance.of(4L, 64L, 1_024L) << 10 : FOREVER,
        forwards ? destination(chance) : null,
        has(swarm.forwarding(), 3, chance) && !isTopic ? destination(chance) : null,
        status(chance));
  }

  /** Once in so many times, in a run that has it. */
  private static boolean has(boolean runHasIt, int times, Chance chance) {
    return runHasIt && chance.oneIn(times);
  }

  private Properties.Status status(Chance chance) {
    return swarm.statuses() && chance.oneIn(3)
        ? chance.of(Properties.Status.values())
        : Properties.Status.ACTIVE;
  }

  private String destination(Chance chance) {
    return swarm.topics() > 0 && chance.oneIn(3) ? topic(chance) : queue(chance);
  }

  /** Other properties, but for those that are fixed; these too at times. */
  @Nullable Operation update(Chance chance) {
    var entity = any(chance);
    if (entity == null) {
      return null;
    }
    var before = entity.properties();
    var next = properties(chance, entity.kind() == Known.Kind.TOPIC);
    var isSensible = !chance.oneIn(10);
    var sessions = isSensible ? before.requiresSession() : next.requiresSession();
    return new Operation.Update(
        entity.path(),
        new Properties(
            next.lockMillis(),
            next.maxDeliveryCount(),
            next.timeToLiveMillis(),
            next.deadLettersExpired(),
            next.deadLettersFilterFailures(),
            sessions,
            isSensible ? before.duplicateWindowMillis() : next.duplicateWindowMillis(),
            next.maxBytes(),
            sessions ? null : next.forwardTo(),
            next.forwardDeadLettersTo(),
            next.status()));
  }

  @Nullable Operation delete(Chance chance) {
    var entity = any(chance);
    return entity == null ? null : new Operation.Delete(entity.path());
  }

  @Nullable Operation addRule(Chance chance) {
    var subscription = any(chance, Known.Kind.SUBSCRIPTION);
    return subscription == null ? null : new Operation.AddRule(subscription, rule(chance));
  }

  @Nullable Operation removeRule(Chance chance) {
    var subscription = any(chance, Known.Kind.SUBSCRIPTION);
    var name = chance.of("$Default", "r1", "r2", "r3");
    return subscription == null ? null : new Operation.RemoveRule(subscription, name);
  }

  private Operation.Rule rule(Chance chance) {
    return rule(chance, chance.of("r1", "r3"));
  }

  private Operation.Rule rule(Chance chance, String name) {
    var kind = chance.of(Operation.Rule.Kind.values());
    var needsColor = kind == Operation.Rule.Kind.CORRELATION || kind == Operation.Rule.Kind.SQL;
    return new Operation.Rule(
        name,
        kind,
        needsColor ? color(chance) : null,
        chance.oneIn(3) ? "changed" + chance.between(1, 2) : null);
  }

  String color(Chance chance) {
    return "c" + chance.between(1, Math.min(3, swarm.ids()));
  }

  @Nullable Operation count(Chance chance) {
    var entity = any(chance);
    return entity == null ? null : new Operation.Count(entity.path());
  }

  @Nullable Operation deleteMessages(Chance chance) {
    var from = receivable(chance);
    return from == null
        ? null
        : new Operation.DeleteMessages(
            from,
            chance.of(1, 3, 100),
            chance.oneIn(3) ? known.nowMillis() - chance.between(0, 5_000) : FOREVER,
            swarm.sessions() && chance.oneIn(3) ? session(chance) : null);
  }

  String session(Chance chance) {
    return "session" + chance.between(1, Math.min(3, swarm.ids()));
  }

  private Known.@Nullable Entity any(Chance chance) {
    return known.entities.isEmpty() ? null : chance.of(new ArrayList<>(known.entities.values()));
  }

  private @Nullable String any(Chance chance, Known.Kind kind) {
    var some = known.entities.values().stream().filter(entity -> entity.kind() == kind).toList();
    return some.isEmpty() ? null : chance.of(some).path();
  }

  /** Where messages may be sent to; null for nowhere. */
  Known.@Nullable Entity sendable(Chance chance) {
    var some =
        known.entities.values().stream()
            .filter(entity -> entity.kind() != Known.Kind.SUBSCRIPTION)
            .toList();
    return some.isEmpty() ? null : chance.of(some);
  }

  /** Where messages may be received from, dead-letter queues too; null for nowhere. */
  @Nullable String receivable(Chance chance) {
    var some =
        known.entities.values().stream()
            .filter(entity -> entity.kind() != Known.Kind.TOPIC)
            .toList();
    if (some.isEmpty()) {
      return null;
    }
    var path = chance.of(some).path();
    return chance.oneIn(5) ? path + DEAD_LETTERS : path;
  }

  /** One with sessions; null for none. */
  @Nullable String withSessions(Chance chance) {
    var some =
        known.entities.values().stream()
            .filter(
                entity ->
                    entity.properties().requiresSession() && entity.kind() != Known.Kind.TOPIC)
            .toList();
    return some.isEmpty() ? null : chance.of(some).path();
  }
}

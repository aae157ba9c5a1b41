package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.world.RandomSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked about entities as a whole. */
final class EntityGenerator {
  static final String SUBSCRIPTIONS = "/Subscriptions/";
  static final String DEAD_LETTERS = "/$DeadLetterQueue";
  private static final long FOREVER = Long.MAX_VALUE;

  private final Swarm swarm;
  private final ObservedState known;

  EntityGenerator(Swarm swarm, ObservedState known) {
    this.swarm = swarm;
    this.known = known;
  }

  /** How many there can be. */
  int most() {
    return swarm.queues() + swarm.topics() * 3;
  }

  Operation create(RandomSource random) {
    if (swarm.topics() > 0 && random.oneIn(2)) {
      var topic = topic(random);
      var isThere = known.entities.containsKey(topic);
      return isThere && !random.oneIn(5)
          ? new Operation.CreateSubscription(
              topic + SUBSCRIPTIONS + "s" + random.between(1, 2),
              properties(random, false),
              random.oneIn(2) ? null : List.of(rule(random), rule(random, "r2")))
          : new Operation.CreateTopic(topic, properties(random, true));
    }
    return new Operation.CreateQueue(queue(random), properties(random, false));
  }

  private String queue(RandomSource random) {
    return "q" + random.between(1, swarm.queues());
  }

  private String topic(RandomSource random) {
    return "t" + random.between(1, swarm.topics());
  }

  private Properties properties(RandomSource random, boolean isTopic) {
    var hasSessions = has(swarm.sessions(), 2, random) && !isTopic;
    var forwards = has(swarm.forwarding(), 3, random) && !hasSessions && !isTopic;
    return new Properties(
        random.of(1_000L, 3_000L, 20_000L),
        random.of(1, 2, 3, 10),
        has(swarm.timeToLive(), 2, random) ? random.of(1_000L, 4_000L, 30_000L) : FOREVER,
        random.oneIn(2),
        random.oneIn(2),
        hasSessions,
        has(swarm.duplicates(), 2, random) ? 20_000 : 0,
        has(swarm.quotas(), 2, random) ? random.of(2L, 4L, 64L, 1_024L) << 10 : FOREVER,
        forwards ? destination(random) : null,
        has(swarm.forwarding(), 3, random) && !isTopic ? destination(random) : null,
        status(random));
  }

  /** Once in so many times, in a run that has it. */
  private static boolean has(boolean runHasIt, int times, RandomSource random) {
    return runHasIt && random.oneIn(times);
  }

  private Properties.Status status(RandomSource random) {
    return swarm.statuses() && random.oneIn(3)
        ? random.of(Properties.Status.values())
        : Properties.Status.ACTIVE;
  }

  private String destination(RandomSource random) {
    return swarm.topics() > 0 && random.oneIn(3) ? topic(random) : queue(random);
  }

  /** Other properties, but for those that are fixed; these too at times. */
  @Nullable Operation update(RandomSource random) {
    var entity = any(random);
    if (entity == null) {
      return null;
    }
    var before = entity.properties();
    var next = properties(random, entity.kind() == ObservedState.Kind.TOPIC);
    var isSensible = !random.oneIn(10);
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

  @Nullable Operation delete(RandomSource random) {
    var entity = any(random);
    return entity == null ? null : new Operation.Delete(entity.path());
  }

  @Nullable Operation addRule(RandomSource random) {
    var subscription = any(random, ObservedState.Kind.SUBSCRIPTION);
    return subscription == null ? null : new Operation.AddRule(subscription, rule(random));
  }

  @Nullable Operation removeRule(RandomSource random) {
    var subscription = any(random, ObservedState.Kind.SUBSCRIPTION);
    var name = random.of("$Default", "r1", "r2", "r3");
    return subscription == null ? null : new Operation.RemoveRule(subscription, name);
  }

  @Nullable Operation replaceRule(RandomSource random) {
    var subscription = any(random, ObservedState.Kind.SUBSCRIPTION);
    var name = random.of("$Default", "r1", "r2", "r3");
    return subscription == null
        ? null
        : new Operation.ReplaceRule(subscription, rule(random, name));
  }

  private Operation.Rule rule(RandomSource random) {
    return rule(random, random.of("r1", "r3"));
  }

  private Operation.Rule rule(RandomSource random, String name) {
    var kind = random.of(Operation.Rule.Kind.values());
    var needsColor = kind == Operation.Rule.Kind.CORRELATION || kind == Operation.Rule.Kind.SQL;
    return new Operation.Rule(
        name,
        kind,
        needsColor ? color(random) : null,
        random.oneIn(3) ? "changed" + random.between(1, 2) : null);
  }

  String color(RandomSource random) {
    return "c" + random.between(1, Math.min(3, swarm.ids()));
  }

  @Nullable Operation count(RandomSource random) {
    var entity = any(random);
    return entity == null ? null : new Operation.Count(entity.path());
  }

  @Nullable Operation deleteMessages(RandomSource random) {
    var from = receivable(random);
    return from == null
        ? null
        : new Operation.DeleteMessages(
            from,
            random.of(1, 3, 100),
            random.oneIn(3) ? known.nowMillis() - random.between(0, 5_000) : FOREVER,
            swarm.sessions() && random.oneIn(3) ? session(random) : null);
  }

  String session(RandomSource random) {
    return "session" + random.between(1, Math.min(3, swarm.ids()));
  }

  private ObservedState.@Nullable Entity any(RandomSource random) {
    return known.entities.isEmpty() ? null : random.of(new ArrayList<>(known.entities.values()));
  }

  private @Nullable String any(RandomSource random, ObservedState.Kind kind) {
    var some = known.entities.values().stream().filter(entity -> entity.kind() == kind).toList();
    return some.isEmpty() ? null : random.of(some).path();
  }

  /** Where messages may be sent to; null for nowhere. */
  ObservedState.@Nullable Entity sendable(RandomSource random) {
    var some =
        known.entities.values().stream()
            .filter(entity -> entity.kind() != ObservedState.Kind.SUBSCRIPTION)
            .toList();
    return some.isEmpty() ? null : random.of(some);
  }

  /** Where messages may be received from, dead-letter queues too; null for nowhere. */
  @Nullable String receivable(RandomSource random) {
    var some =
        known.entities.values().stream()
            .filter(entity -> entity.kind() != ObservedState.Kind.TOPIC)
            .toList();
    if (some.isEmpty()) {
      return null;
    }
    var path = random.of(some).path();
    return random.oneIn(5) ? path + DEAD_LETTERS : path;
  }

  /** One with sessions; null for none. */
  @Nullable String withSessions(RandomSource random) {
    var some =
        known.entities.values().stream()
            .filter(
                entity ->
                    entity.properties().requiresSession()
                        && entity.kind() != ObservedState.Kind.TOPIC)
            .toList();
    return some.isEmpty() ? null : random.of(some).path();
  }
}

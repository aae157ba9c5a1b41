package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Properties;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** EntityGenerator and rules in the kernel's words. */
final class Definitions {
  private static final String SUBSCRIPTIONS = "/Subscriptions/";

  private Definitions() {}

  static QueueDefinition queue(String path, Properties properties) {
    return of(path, properties, QueueRole.QUEUE);
  }

  static QueueDefinition topic(String path, Properties properties) {
    return of(path, properties, new QueueRole.Topic(false));
  }

  static QueueDefinition subscription(String path, Properties properties) {
    var topic = path.substring(0, path.indexOf(SUBSCRIPTIONS));
    var role = new QueueRole.Subscription(topic, properties.deadLettersFilterFailures());
    return of(path, properties, role);
  }

  /** Those of an entity that is there, with other properties. */
  static QueueDefinition updated(QueueDefinition before, Properties properties) {
    return switch (before.role()) {
      case QueueRole.Subscription ignored -> subscription(before.path(), properties);
      default -> of(before.path(), properties, before.role());
    };
  }

  private static QueueDefinition of(String path, Properties properties, QueueRole role) {
    var isTopic = role instanceof QueueRole.Topic;
    var isSubscription = role instanceof QueueRole.Subscription;
    return QueueDefinition.named(path)
        .with()
        .lockDurationMillis(isTopic ? 60_000 : properties.lockMillis())
        .maxDeliveryCount(isTopic ? 10 : properties.maxDeliveryCount())
        .defaultTimeToLiveMillis(properties.timeToLiveMillis())
        .deadLetteringOnExpiration(!isTopic && properties.deadLettersExpired())
        .maxSizeBytes(isSubscription ? QueueDefinition.FOREVER : properties.maxBytes())
        .requiresSession(!isTopic && properties.requiresSession())
        .duplicateWindowMillis(isSubscription ? 0 : properties.duplicateWindowMillis())
        .status(EntityStatus.valueOf(properties.status().name()))
        .forwardTo(isTopic ? null : properties.forwardTo())
        .forwardDeadLettersTo(isTopic ? null : properties.forwardDeadLettersTo())
        .role(role)
        .build();
  }

  static @Nullable List<Rule> rules(Operation.CreateSubscription create, long nowMillis) {
    var rules = create.rules();
    return rules == null ? null : rules.stream().map(rule -> rule(rule, nowMillis)).toList();
  }

  static Rule rule(Operation.Rule rule, long nowMillis) {
    var sets = rule.setsColor();
    var action =
        sets == null
            ? null
            : done(SqlAction.parse("SET color = '" + sets + "'", FilterLimits.STANDARD));
    return new Rule(rule.name(), filter(rule), action, nowMillis);
  }

  private static Filter filter(Operation.Rule rule) {
    return switch (rule.kind()) {
      case TRUE -> new Filter.True();
      case FALSE -> new Filter.False();
      case CORRELATION ->
          done(
              CorrelationFilter.of(
                  Collections.emptyMap(),
                  Collections.singletonMap(
                      "color", FilterValue.of(Objects.requireNonNull(rule.color())))));
      case SQL -> done(SqlFilter.parse("color = '" + rule.color() + "'", FilterLimits.STANDARD));
    };
  }

  private static <T> T done(Parsed<T> parsed) {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> wrong -> throw new IllegalStateException(wrong.toString());
    };
  }
}

package io.peeklock.kernel;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A property of a queue, topic or subscription: its name, and how it gets out of a {@link
 * QueueDefinition} and into one. The table of all of them is what loops over properties go by: the
 * layout in the log, the hash of the state, and the comparison of two definitions. A new property
 * is a component of the definition and a line here, at the end, with the version of the layout that
 * it came with.
 */
public sealed interface EntityProperty {

  /** As Service Bus spells it, where it has a word; for the error that says what differs. */
  String name();

  /** The value, for comparing and for people; never null. */
  Object value(QueueDefinition definition);

  /** A time in milliseconds or an amount in bytes, from 0 on. */
  record Amount(
      String name,
      ToLongFunction<QueueDefinition> getter,
      BiConsumer<QueueDefinitionBuilder, Long> setter)
      implements EntityProperty {
    @Override
    public Object value(QueueDefinition definition) {
      return getter.applyAsLong(definition);
    }
  }

  /** A number of things, from 0 on. */
  record Count(
      String name,
      ToIntFunction<QueueDefinition> getter,
      BiConsumer<QueueDefinitionBuilder, Integer> setter)
      implements EntityProperty {
    @Override
    public Object value(QueueDefinition definition) {
      return getter.applyAsInt(definition);
    }
  }

  /** Yes or no. */
  record Flag(
      String name,
      Predicate<QueueDefinition> getter,
      BiConsumer<QueueDefinitionBuilder, Boolean> setter)
      implements EntityProperty {
    @Override
    public Object value(QueueDefinition definition) {
      return getter.test(definition);
    }
  }

  /** The entity's own path. */
  record Path(
      String name,
      Function<QueueDefinition, String> getter,
      BiConsumer<QueueDefinitionBuilder, String> setter)
      implements EntityProperty {
    @Override
    public Object value(QueueDefinition definition) {
      return getter.apply(definition);
    }
  }

  /** The path of another entity, or none. */
  record Destination(
      String name,
      Function<QueueDefinition, @Nullable String> getter,
      BiConsumer<QueueDefinitionBuilder, @Nullable String> setter)
      implements EntityProperty {
    @Override
    public Object value(QueueDefinition definition) {
      String path = getter.apply(definition);
      return path == null ? "not set" : path;
    }
  }

  /** What clients may do. */
  record Status(
      String name,
      Function<QueueDefinition, EntityStatus> getter,
      BiConsumer<QueueDefinitionBuilder, EntityStatus> setter)
      implements EntityProperty {
    @Override
    public Object value(QueueDefinition definition) {
      return getter.apply(definition);
    }
  }

  /** What edges keep and no rule looks at. */
  record Attributes(
      String name,
      Function<QueueDefinition, Map<String, String>> getter,
      BiConsumer<QueueDefinitionBuilder, Map<String, String>> setter)
      implements EntityProperty {
    @Override
    public Object value(QueueDefinition definition) {
      return getter.apply(definition);
    }
  }

  /** What it is beside a queue. */
  record Role(
      String name,
      Function<QueueDefinition, QueueRole> getter,
      BiConsumer<QueueDefinitionBuilder, QueueRole> setter)
      implements EntityProperty {
    @Override
    public Object value(QueueDefinition definition) {
      return getter.apply(definition);
    }
  }

  /** The name; two definitions that differ in its case alone are equal. */
  EntityProperty PATH = new Path("Path", QueueDefinition::path, QueueDefinitionBuilder::path);

  /** What edges keep; those who create an entity again need not say it again. */
  EntityProperty ATTRIBUTES =
      new Attributes("attributes", QueueDefinition::attributes, QueueDefinitionBuilder::attributes);

  /** The kind of entity. */
  EntityProperty ROLE = new Role("its kind", QueueDefinition::role, QueueDefinitionBuilder::role);

  /** All of them, in the order in which the log has them: that never changes. */
  List<EntityProperty> ALL =
      List.of(
          PATH,
          new Amount(
              "LockDuration",
              QueueDefinition::lockDurationMillis,
              QueueDefinitionBuilder::lockDurationMillis),
          new Count(
              "MaxDeliveryCount",
              QueueDefinition::maxDeliveryCount,
              QueueDefinitionBuilder::maxDeliveryCount),
          new Amount(
              "DefaultMessageTimeToLive",
              QueueDefinition::defaultTimeToLiveMillis,
              QueueDefinitionBuilder::defaultTimeToLiveMillis),
          new Flag(
              "DeadLetteringOnMessageExpiration",
              QueueDefinition::deadLetteringOnExpiration,
              QueueDefinitionBuilder::deadLetteringOnExpiration),
          new Amount(
              "MaxMessageSize",
              QueueDefinition::maxMessageBytes,
              QueueDefinitionBuilder::maxMessageBytes),
          new Amount(
              "MaxSize", QueueDefinition::maxSizeBytes, QueueDefinitionBuilder::maxSizeBytes),
          new Flag(
              "RequiresSession",
              QueueDefinition::requiresSession,
              QueueDefinitionBuilder::requiresSession),
          new Amount(
              "DuplicateDetectionHistoryTimeWindow",
              QueueDefinition::duplicateWindowMillis,
              QueueDefinitionBuilder::duplicateWindowMillis),
          new Status("Status", QueueDefinition::status, QueueDefinitionBuilder::status),
          new Destination(
              "ForwardTo", QueueDefinition::forwardTo, QueueDefinitionBuilder::forwardTo),
          new Destination(
              "ForwardDeadLetteredMessagesTo",
              QueueDefinition::forwardDeadLettersTo,
              QueueDefinitionBuilder::forwardDeadLettersTo),
          new Amount(
              "AutoDeleteOnIdle",
              QueueDefinition::autoDeleteOnIdleMillis,
              QueueDefinitionBuilder::autoDeleteOnIdleMillis),
          new Flag(
              "EnablePartitioning",
              QueueDefinition::partitioned,
              QueueDefinitionBuilder::partitioned),
          ATTRIBUTES,
          ROLE);
}

package io.peeklock.server.config;

import io.peeklock.kernel.entity.EntityKind;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A property of a queue, topic or subscription as configurations write it; case is ignored. What
 * the table of the kernel has is written under its name there, as its kind of value is, unless a
 * word of its own stands here.
 *
 * @param kinds what has it
 * @param name as Service Bus spells it
 * @param setter how it gets into a queue
 */
record QueueProperty(Set<EntityKind> kinds, String name, Setter setter) {
  private static final Map<String, QueueProperty> KNOWN = new TreeMap<>();

  /** Sets one property, or throws an {@link IllegalArgumentException} with the reason. */
  @FunctionalInterface
  interface Setter {
    void set(QueueDraft queue, String value);
  }

  /** Those that are written under other names, or for which more holds than their kind says. */
  private static final Map<EntityProperty<?>, List<QueueProperty>> OWN =
      Map.of(
          EntityProperties.LOCK_DURATION,
          List.of(own(EntityProperties.LOCK_DURATION, QueueDraft::lockDuration)),
          EntityProperties.TIME_TO_LIVE,
          List.of(own(EntityProperties.TIME_TO_LIVE, QueueDraft::defaultTimeToLive)),
          EntityProperties.MAX_SIZE,
          List.of(sentTo("MaxSizeInMegabytes", QueueDraft::maxSizeMegabytes)),
          EntityProperties.MAX_MESSAGE_SIZE,
          List.of(sentTo("MaxMessageSizeInKilobytes", QueueDraft::maxMessageKilobytes)),
          EntityProperties.DUPLICATE_WINDOW,
          List.of(
              sentTo("RequiresDuplicateDetection", QueueDraft::requiresDuplicateDetection),
              own(EntityProperties.DUPLICATE_WINDOW, QueueDraft::duplicateWindow)),
          EntityProperties.FORWARD_TO,
          List.of(own(EntityProperties.FORWARD_TO, QueueDraft::forwardTo)));

  static {
    EntityProperties.ALL.forEach(property -> waysIn(property).forEach(QueueProperty::know));
  }

  private static QueueProperty own(EntityProperty<?> property, Setter setter) {
    return new QueueProperty(property.traits().kinds(), property.name(), setter);
  }

  private static QueueProperty sentTo(String name, Setter setter) {
    return new QueueProperty(EntityKind.SENT_TO, name, setter);
  }

  private static void know(QueueProperty property) {
    KNOWN.put(property.name().toLowerCase(Locale.ROOT), property);
  }

  /** Under which names it can be written; none for the path, which is the name of the entity. */
  private static List<QueueProperty> waysIn(EntityProperty<?> property) {
    var own = OWN.get(property);
    if (own != null) {
      return own;
    }
    return switch (property) {
      case EntityProperty.Duration it -> plain(it, (queue, value) -> queue.duration(it, value));
      case EntityProperty.Size it -> plain(it, (queue, value) -> queue.size(it, value));
      case EntityProperty.Count it -> plain(it, (queue, value) -> queue.count(it, value));
      case EntityProperty.Flag it ->
          plain(it, (queue, value) -> queue.put(it, QueueDraft.truth(value)));
      case EntityProperty.Destination it ->
          plain(it, (queue, value) -> queue.put(it, QueueDraft.destination(value)));
      case EntityProperty.Status it -> plain(it, QueueDraft::status);
      case EntityProperty.Path it -> List.of();
      case EntityProperty.Attributes it ->
          List.of(
              new QueueProperty(EntityKind.ALL, "UserMetadata", QueueDraft::userMetadata),
              sentTo("EnableExpress", QueueDraft::express));
      case EntityProperty.Role it ->
          List.of(
              new QueueProperty(
                  Set.of(EntityKind.TOPIC),
                  "FilteringMessagesBeforePublishing",
                  QueueDraft::filteringBeforePublishing),
              new QueueProperty(
                  Set.of(EntityKind.SUBSCRIPTION),
                  "DeadLetteringOnFilterEvaluationExceptions",
                  QueueDraft::deadLetteringOnFilterErrors));
    };
  }

  private static List<QueueProperty> plain(EntityProperty<?> property, Setter setter) {
    return List.of(own(property, setter));
  }

  /** The names under which a property of the kernel can be written. */
  static List<String> namesOf(EntityProperty<?> property) {
    return waysIn(property).stream().map(QueueProperty::name).toList();
  }

  static QueueProperty named(EntityKind kind, String name, String entity) {
    var property = KNOWN.get(name.strip().toLowerCase(Locale.ROOT));
    if (property == null || !property.kinds().contains(kind)) {
      throw new ConfigurationException(
          kind.word()
              + " "
              + entity
              + ": there is no property \""
              + name.strip()
              + "\""
              + Nearest.hint(name.strip(), names(kind)));
    }
    return property;
  }

  static Collection<String> names(EntityKind kind) {
    return KNOWN.values().stream()
        .filter(property -> property.kinds().contains(kind))
        .map(QueueProperty::name)
        .toList();
  }
}

package io.peeklock.server.config;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A property of a queue, topic or subscription under its Service Bus name; case is ignored.
 *
 * @param kinds what has it
 * @param name as Service Bus spells it
 * @param setter how it gets into a queue
 */
record QueueProperty(Set<EntityKind> kinds, String name, Setter setter) {
  private static final Set<EntityKind> ALL = EnumSet.allOf(EntityKind.class);
  private static final Set<EntityKind> SENT_TO = EnumSet.of(EntityKind.QUEUE, EntityKind.TOPIC);
  private static final Set<EntityKind> RECEIVED_FROM =
      EnumSet.of(EntityKind.QUEUE, EntityKind.SUBSCRIPTION);
  private static final Map<String, QueueProperty> KNOWN = new TreeMap<>();

  /** Sets one property, or throws an {@link IllegalArgumentException} with the reason. */
  @FunctionalInterface
  interface Setter {
    void set(QueueDraft queue, String value);
  }

  static {
    know(RECEIVED_FROM, "LockDuration", QueueDraft::lockDuration);
    know(ALL, "DefaultMessageTimeToLive", QueueDraft::defaultTimeToLive);
    know(RECEIVED_FROM, "MaxDeliveryCount", QueueDraft::maxDeliveryCount);
    know(RECEIVED_FROM, "DeadLetteringOnMessageExpiration", QueueDraft::deadLetteringOnExpiration);
    know(SENT_TO, "MaxSizeInMegabytes", QueueDraft::maxSizeMegabytes);
    know(SENT_TO, "MaxMessageSizeInKilobytes", QueueDraft::maxMessageKilobytes);
    know(RECEIVED_FROM, "RequiresSession", QueueDraft::requiresSession);
    know(SENT_TO, "RequiresDuplicateDetection", QueueDraft::requiresDuplicateDetection);
    know(
        SENT_TO,
        "DuplicateDetectionHistoryTimeWindow",
        QueueDraft::duplicateDetectionHistoryTimeWindow);
    know(
        EnumSet.of(EntityKind.TOPIC),
        "FilteringMessagesBeforePublishing",
        QueueDraft::filteringBeforePublishing);
    know(
        EnumSet.of(EntityKind.SUBSCRIPTION),
        "DeadLetteringOnFilterEvaluationExceptions",
        QueueDraft::deadLetteringOnFilterErrors);
    know(SENT_TO, "EnablePartitioning", QueueDraft::enablePartitioning);
    know(SENT_TO, "EnableExpress", (queue, value) -> QueueDraft.onlyFalse(value));
    know(RECEIVED_FROM, "ForwardTo", QueueDraft::forwardTo);
    know(RECEIVED_FROM, "ForwardDeadLetteredMessagesTo", QueueDraft::forwardDeadLettersTo);
    know(ALL, "Status", QueueDraft::status);
    know(ALL, "AutoDeleteOnIdle", QueueDraft::autoDeleteOnIdle);
    know(ALL, "UserMetadata", QueueDraft::userMetadata);
  }

  private static void know(Set<EntityKind> kinds, String name, Setter setter) {
    KNOWN.put(name.toLowerCase(Locale.ROOT), new QueueProperty(kinds, name, setter));
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

package io.peeklock.server.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A property of a queue under its Service Bus name; case is ignored.
 *
 * @param name as Service Bus spells it
 * @param setter how it gets into a queue
 */
record QueueProperty(String name, Setter setter) {
  private static final Map<String, QueueProperty> KNOWN = new TreeMap<>();

  /** Sets one property, or throws an {@link IllegalArgumentException} with the reason. */
  @FunctionalInterface
  interface Setter {
    void set(QueueDraft queue, String value);
  }

  static {
    know("LockDuration", QueueDraft::lockDuration);
    know("DefaultMessageTimeToLive", QueueDraft::defaultTimeToLive);
    know("MaxDeliveryCount", QueueDraft::maxDeliveryCount);
    know("DeadLetteringOnMessageExpiration", QueueDraft::deadLetteringOnExpiration);
    know("MaxSizeInMegabytes", QueueDraft::maxSizeMegabytes);
    know("MaxMessageSizeInKilobytes", QueueDraft::maxMessageKilobytes);
    know("RequiresSession", QueueDraft::requiresSession);
    know("RequiresDuplicateDetection", QueueDraft::requiresDuplicateDetection);
    know("DuplicateDetectionHistoryTimeWindow", QueueDraft::duplicateDetectionHistoryTimeWindow);
    know("EnablePartitioning", (queue, value) -> QueueDraft.onlyFalse(value));
    know("EnableExpress", (queue, value) -> QueueDraft.onlyFalse(value));
    know("ForwardTo", (queue, value) -> QueueDraft.onlyEmpty(value));
    know("ForwardDeadLetteredMessagesTo", (queue, value) -> QueueDraft.onlyEmpty(value));
  }

  private static void know(String name, Setter setter) {
    KNOWN.put(name.toLowerCase(Locale.ROOT), new QueueProperty(name, setter));
  }

  static QueueProperty named(String name, String queue) {
    var property = KNOWN.get(name.strip().toLowerCase(Locale.ROOT));
    if (property == null) {
      throw new ConfigurationException(
          "queue "
              + queue
              + ": there is no property \""
              + name.strip()
              + "\""
              + Nearest.hint(name.strip(), names()));
    }
    return property;
  }

  static Collection<String> names() {
    return KNOWN.values().stream().map(QueueProperty::name).toList();
  }
}

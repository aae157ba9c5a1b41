package io.peeklock.http.admin.properties;

import io.peeklock.kernel.entity.EntityKind;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;

/** What an entity is, as the API tells them apart. */
public enum Kind {
  /** Sent to and received from. */
  QUEUE(EntityKind.QUEUE, "Queue"),
  /** Sent to. */
  TOPIC(EntityKind.TOPIC, "Topic"),
  /** Received from. */
  SUBSCRIPTION(EntityKind.SUBSCRIPTION, "Subscription");

  private final EntityKind entity;
  private final String word;

  Kind(EntityKind entity, String word) {
    this.entity = entity;
    this.word = word;
  }

  /** The same to the kernel. */
  EntityKind entity() {
    return entity;
  }

  /** Such as {@code Queue}. */
  public String word() {
    return word;
  }

  /** The element that describes one. */
  public String element() {
    return word + "Description";
  }

  /** What this is. */
  public static Kind of(QueueDefinition definition) {
    return switch (definition.role()) {
      case QueueRole.Queue queue -> QUEUE;
      case QueueRole.Topic topic -> TOPIC;
      case QueueRole.Subscription subscription -> SUBSCRIPTION;
      case QueueRole.Transfers transfers -> QUEUE; // nobody is shown one
    };
  }
}

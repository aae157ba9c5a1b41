package io.peeklock.http.admin.properties;

import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueRole;

/** What an entity is, as the API tells them apart. */
public enum Kind {
  /** Sent to and received from. */
  QUEUE("Queue"),
  /** Sent to. */
  TOPIC("Topic"),
  /** Received from. */
  SUBSCRIPTION("Subscription");

  private final String word;

  Kind(String word) {
    this.word = word;
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

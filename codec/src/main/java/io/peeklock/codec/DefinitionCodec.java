package io.peeklock.codec;

import io.peeklock.kernel.EntityStatus;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueRole;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of what an operator asked of a queue. */
final class DefinitionCodec {
  private static final int ROLE_QUEUE = 0;
  private static final int ROLE_TOPIC = 1;
  private static final int ROLE_SUBSCRIPTION = 2;
  private static final int ROLE_TRANSFERS = 3;

  /** What a character takes at most, and what a number beside a text does. */
  private static final long CHARACTER_BYTES = 3;

  private static final long NUMBER_BYTES = 10;

  private DefinitionCodec() {}

  /** Of everything that is not of a fixed size. */
  static long mostBytes(QueueDefinition definition) {
    var bytes = mostBytes(definition.path());
    bytes += mostBytes(definition.forwardTo()) + mostBytes(definition.forwardDeadLettersTo());
    for (var attribute : definition.attributes().entrySet()) {
      bytes += mostBytes(attribute.getKey()) + mostBytes(attribute.getValue());
    }
    return switch (definition.role()) {
      case QueueRole.Queue ignored -> bytes;
      case QueueRole.Topic ignored -> bytes;
      case QueueRole.Subscription subscription -> bytes + mostBytes(subscription.topicPath());
      case QueueRole.Transfers transfers -> bytes + mostBytes(transfers.entityPath());
    };
  }

  private static long mostBytes(@Nullable String text) {
    return NUMBER_BYTES + (text == null ? 0 : CHARACTER_BYTES * text.length());
  }

  static void write(QueueDefinition definition, FactWriter out) {
    out.text(definition.path());
    out.unsigned(definition.lockDurationMillis());
    out.natural(definition.maxDeliveryCount());
    out.unsigned(definition.defaultTimeToLiveMillis());
    out.flag(definition.deadLetteringOnExpiration());
    out.unsigned(definition.maxMessageBytes());
    out.unsigned(definition.maxSizeBytes());
    out.flag(definition.requiresSession());
    out.unsigned(definition.duplicateWindowMillis());
    out.oneByte(code(definition.status()));
    write(definition.forwardTo(), out);
    write(definition.forwardDeadLettersTo(), out);
    out.unsigned(definition.autoDeleteOnIdleMillis());
    out.flag(definition.partitioned());
    out.natural(definition.attributes().size());
    for (var attribute : definition.attributes().entrySet()) {
      out.text(attribute.getKey());
      out.text(attribute.getValue());
    }
    write(definition.role(), out);
  }

  static QueueDefinition read(FactReader in) throws UnreadableFact {
    return new QueueDefinition(
        in.text(),
        in.unsigned(),
        in.natural(),
        in.unsigned(),
        in.flag(),
        in.unsigned(),
        in.unsigned(),
        in.flag(),
        in.unsigned(),
        status(in.oneByte()),
        optional(in),
        optional(in),
        in.unsigned(),
        in.flag(),
        attributes(in),
        role(in));
  }

  private static void write(@Nullable String text, FactWriter out) {
    out.flag(text != null);
    if (text != null) {
      out.text(text);
    }
  }

  private static @Nullable String optional(FactReader in) throws UnreadableFact {
    return in.flag() ? in.text() : null;
  }

  private static Map<String, String> attributes(FactReader in) throws UnreadableFact {
    var attributes = new TreeMap<String, String>();
    for (var left = in.count(); left > 0; left--) {
      attributes.put(in.text(), in.text());
    }
    return attributes;
  }

  private static int code(EntityStatus status) {
    return switch (status) {
      case ACTIVE -> 0;
      case DISABLED -> 1;
      case SEND_DISABLED -> 2;
      case RECEIVE_DISABLED -> 3;
    };
  }

  private static EntityStatus status(int code) throws UnreadableFact {
    return switch (code) {
      case 0 -> EntityStatus.ACTIVE;
      case 1 -> EntityStatus.DISABLED;
      case 2 -> EntityStatus.SEND_DISABLED;
      case 3 -> EntityStatus.RECEIVE_DISABLED;
      default -> throw new UnreadableFact("a status " + code + " is not known");
    };
  }

  private static void write(QueueRole role, FactWriter out) {
    switch (role) {
      case QueueRole.Queue ignored -> out.oneByte(ROLE_QUEUE);
      case QueueRole.Topic topic -> {
        out.oneByte(ROLE_TOPIC);
        out.flag(topic.filteringBeforePublishing());
      }
      case QueueRole.Subscription subscription -> {
        out.oneByte(ROLE_SUBSCRIPTION);
        out.text(subscription.topicPath());
        out.flag(subscription.deadLetteringOnFilterErrors());
      }
      case QueueRole.Transfers transfers -> {
        out.oneByte(ROLE_TRANSFERS);
        out.text(transfers.entityPath());
      }
    }
  }

  private static QueueRole role(FactReader in) throws UnreadableFact {
    var role = in.oneByte();
    return switch (role) {
      case ROLE_QUEUE -> QueueRole.QUEUE;
      case ROLE_TOPIC -> new QueueRole.Topic(in.flag());
      case ROLE_SUBSCRIPTION -> new QueueRole.Subscription(in.text(), in.flag());
      case ROLE_TRANSFERS -> new QueueRole.Transfers(in.text());
      default -> throw new UnreadableFact("a queue of kind " + role + " is not known");
    };
  }
}

package io.peeklock.codec;

import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of a queue's definition. */
final class DefinitionCodec {
  private static final int ROLE_QUEUE = 0;
  private static final int ROLE_TOPIC = 1;
  private static final int ROLE_SUBSCRIPTION = 2;
  private static final int ROLE_TRANSFERS = 3;

  private DefinitionCodec() {}

  static void write(QueueDefinition definition, FactWriter out) {
    write(EntityProperties.ALL, definition, out);
  }

  static void write(
      List<EntityProperty<?>> properties, QueueDefinition definition, FactWriter out) {
    for (var property : properties) {
      switch (property) {
        case EntityProperty.Duration time -> out.unsigned(time.getter().apply(definition));
        case EntityProperty.Size bytes -> out.unsigned(bytes.getter().apply(definition));
        case EntityProperty.Count number -> out.natural(number.getter().apply(definition));
        case EntityProperty.Flag flag -> out.flag(flag.getter().apply(definition));
        case EntityProperty.Status status -> out.oneByte(code(status.getter().apply(definition)));
        case EntityProperty.Path path -> out.text(path.getter().apply(definition));
        case EntityProperty.Destination to -> write(to.getter().apply(definition), out);
        case EntityProperty.Attributes all -> write(all.getter().apply(definition), out);
        case EntityProperty.Role role -> write(role.getter().apply(definition), out);
      }
    }
  }

  /**
   * What {@link #write} wrote when the layout had this version: each property that it had, in turn;
   * those that came later have their defaults.
   */
  static QueueDefinition read(int version, FactReader in) throws UnreadableFact {
    return read(EntityProperties.ALL, version, in);
  }

  static QueueDefinition read(List<EntityProperty<?>> properties, int version, FactReader in)
      throws UnreadableFact {
    var definition = QueueDefinition.named("").with();
    for (var property : properties) {
      if (property.traits().since() > version) {
        continue;
      }
      switch (property) {
        case EntityProperty.Duration time -> time.setter().accept(definition, in.unsigned());
        case EntityProperty.Size bytes -> bytes.setter().accept(definition, in.unsigned());
        case EntityProperty.Count number -> number.setter().accept(definition, in.natural());
        case EntityProperty.Flag flag -> flag.setter().accept(definition, in.flag());
        case EntityProperty.Status status ->
            status.setter().accept(definition, status(in.oneByte()));
        case EntityProperty.Path path -> path.setter().accept(definition, in.text());
        case EntityProperty.Destination to -> to.setter().accept(definition, optional(in));
        case EntityProperty.Attributes all -> all.setter().accept(definition, attributes(in));
        case EntityProperty.Role role -> role.setter().accept(definition, role(in));
      }
    }
    return definition.build();
  }

  private static void write(Map<String, String> attributes, FactWriter out) {
    out.natural(attributes.size());
    for (var attribute : attributes.entrySet()) {
      out.text(attribute.getKey());
      out.text(attribute.getValue());
    }
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

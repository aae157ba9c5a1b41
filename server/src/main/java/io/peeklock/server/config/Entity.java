package io.peeklock.server.config;

import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue, topic or subscription to be there after the start.
 *
 * @param rules of a subscription, all of them; null for the one that selects everything
 * @param said names of the properties that somebody wrote down; null where what was left out counts
 *     too, as in the emulator's file
 * @param difference what becomes of one that is there and is otherwise
 */
public record Entity(
    QueueDefinition definition,
    @Nullable List<Rule> rules,
    @Nullable Set<String> said,
    Difference difference) {
  private static final String DETECTION = "RequiresDuplicateDetection";

  /** What becomes of an entity that is there, where it is not as it was said. */
  public enum Difference {
    /** The start ends. */
    REFUSED,
    /** What may change is changed; of what is fixed a warning tells. */
    APPLIED,
    /** What may change is changed; the start ends for what is fixed. */
    DEMANDED,
    /** What may change is changed; for what is fixed the entity is deleted and made again. */
    REMADE
  }

  /** Takes copies. */
  public Entity {
    said = said == null ? null : Set.copyOf(said);
  }

  /** One of whose properties nothing was said. */
  public Entity(QueueDefinition definition, @Nullable List<Rule> rules) {
    this(definition, rules, Set.of(), Difference.APPLIED);
  }

  /** The same when these properties were written down. */
  Entity saying(Set<String> names) {
    return new Entity(definition, rules, names, difference);
  }

  /**
   * The same as the settings treat differences.
   *
   * @param strict whether what was said must be so already
   * @param remakes whether what a file demands may cost what is in an entity
   */
  Entity treated(boolean strict, boolean remakes) {
    return switch (difference) {
      case APPLIED -> strict ? on(Difference.REFUSED) : this;
      case DEMANDED -> remakes ? on(Difference.REMADE) : this;
      case REFUSED, REMADE -> this;
    };
  }

  /** The same with another way to treat a difference. */
  Entity on(Difference other) {
    return new Entity(definition, rules, said, other);
  }

  /** The same as a whole: what was not said has its default, but for the status. */
  public Entity whole(Difference other) {
    return new Entity(definition, rules, null, other);
  }

  /**
   * What an entity that is there should become. Attributes and a status that nobody spoke of stay.
   *
   * @param is its definition, of the same kind
   */
  public QueueDefinition over(QueueDefinition is) {
    var next = is.with();
    for (var property : EntityProperties.ALL) {
      if (isSaid(property, is)) {
        property.copy(definition, next);
      }
    }
    var attributes = new HashMap<>(is.attributes());
    attributes.putAll(definition.attributes());
    return next.path(is.path()).attributes(attributes).build();
  }

  private boolean isSaid(EntityProperty<?> property, QueueDefinition is) {
    if (property.equals(EntityProperties.STATUS) && said == null) {
      return definition.status() != EntityStatus.ACTIVE;
    }
    if (said == null) {
      return true;
    }
    if (property.equals(EntityProperties.DUPLICATE_WINDOW)) {
      return isWindowSaid(said, is);
    }
    return QueueProperty.namesOf(property).stream().anyMatch(said::contains);
  }

  /** Whether there is a window, and how long it is, are two things to say and one to keep. */
  private boolean isWindowSaid(Set<String> names, QueueDefinition is) {
    var detects = definition.duplicateWindowMillis() > 0;
    if (detects == is.duplicateWindowMillis() > 0) {
      return detects && names.contains(EntityProperties.DUPLICATE_WINDOW.name());
    }
    return names.contains(DETECTION);
  }
}

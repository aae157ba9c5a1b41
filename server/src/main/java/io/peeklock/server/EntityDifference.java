package io.peeklock.server;

import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import io.peeklock.runtime.naming.IsoDuration;
import java.util.ArrayList;

/** How two definitions of an entity differ, in the units in which people write them. */
final class EntityDifference {
  private EntityDifference() {}

  /** Such as "LockDuration is PT1M, PT30S is asked for"; only what both could have. */
  static String text(QueueDefinition is, QueueDefinition wanted) {
    var parts = new ArrayList<String>();
    for (var property : EntityProperties.ALL) {
      if (!property.equals(EntityProperties.PATH)
          && !property.equals(EntityProperties.ATTRIBUTES)
          && !property.value(is).equals(property.value(wanted))) {
        parts.add(
            property.name()
                + " is "
                + shown(property, is)
                + ", "
                + shown(property, wanted)
                + " is asked for");
      }
    }
    return parts.isEmpty() ? "its comment" : String.join("; ", parts);
  }

  private static String shown(EntityProperty<?> property, QueueDefinition of) {
    return switch (property) {
      case EntityProperty.Duration it -> duration(it, it.getter().apply(of));
      case EntityProperty.Size it -> size(it.getter().apply(of));
      default -> String.valueOf(property.value(of));
    };
  }

  private static String duration(EntityProperty.Duration property, long millis) {
    return property.equals(EntityProperties.DUPLICATE_WINDOW) && millis == 0
        ? "off"
        : millis == QueueDefinition.FOREVER ? "for ever" : IsoDuration.text(millis);
  }

  private static String size(long bytes) {
    if (bytes == QueueDefinition.FOREVER) {
      return "without a limit";
    }
    return bytes % (1 << 20) == 0 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
  }

  /** What is wanted, but with what is fixed as it is. */
  static QueueDefinition withoutFixed(QueueDefinition is, QueueDefinition wanted) {
    var next = wanted.with();
    for (var property : EntityProperties.ALL) {
      if (property.traits().fixed() || isSwitchedWindow(property, is, wanted)) {
        copy(property, is, next);
      }
    }
    return next.build();
  }

  /** Whether there is detection of duplicates is fixed, how long its window is is not. */
  private static boolean isSwitchedWindow(
      EntityProperty<?> property, QueueDefinition is, QueueDefinition wanted) {
    return property.equals(EntityProperties.DUPLICATE_WINDOW)
        && (is.duplicateWindowMillis() == 0) != (wanted.duplicateWindowMillis() == 0);
  }

  private static void copy(
      EntityProperty<?> property, QueueDefinition from, QueueDefinitionBuilder to) {
    property.copy(from, to);
  }
}

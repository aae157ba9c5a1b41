package io.peeklock.kernel.entity;

import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A property of a queue, topic or subscription: its name, the kinds that have it, its range, and
 * how to read it from a {@link QueueDefinition} and set it. {@link EntityProperties} lists all of
 * them.
 *
 * <p>There is one kind of property for each type of value, so that values are typed where they are
 * read and written, and the compiler names every place where a new kind is missing.
 *
 * @param <T> the type of its values
 */
public sealed interface EntityProperty<T extends @Nullable Object> {

  /**
   * What all properties say about themselves, whatever their type.
   *
   * @param name as Service Bus spells it, where it has the property
   * @param kinds of entities that have it
   * @param fixed whether it cannot change after the entity is created (S-067)
   */
  record Traits(String name, Set<EntityKind> kinds, boolean fixed, int since) {}

  /**
   * The range of a number, both ends included; profiles narrow it.
   *
   * @param least from 1
   * @param most {@link QueueDefinition#FOREVER} for no limit
   */
  record Range(long least, long most) {
    /** Whether a value lies in the range. */
    public boolean contains(long value) {
      return value >= least && value <= most;
    }
  }

  /** Its name, kinds and whether it is fixed. */
  Traits traits();

  /** Reads its value from a definition. */
  Function<QueueDefinition, T> getter();

  /** Sets its value; a value out of range is refused when the definition is built. */
  BiConsumer<QueueDefinitionBuilder, T> setter();

  /** Its name as Service Bus spells it, for messages about differences. */
  default String name() {
    return traits().name();
  }

  /** The value, for comparing and for people; never null. */
  default Object value(QueueDefinition definition) {
    T value = getter().apply(definition);
    return value == null ? "not set" : value;
  }

  /** Copies its value. */
  default void copy(QueueDefinition from, QueueDefinitionBuilder to) {
    setter().accept(to, getter().apply(from));
  }

  /** A time in milliseconds, {@link QueueDefinition#FOREVER} for no end. */
  record Duration(
      Traits traits,
      Range range,
      Function<QueueDefinition, Long> getter,
      BiConsumer<QueueDefinitionBuilder, Long> setter)
      implements EntityProperty<Long> {}

  /** An amount in bytes, {@link QueueDefinition#FOREVER} for no limit. */
  record Size(
      Traits traits,
      Range range,
      Function<QueueDefinition, Long> getter,
      BiConsumer<QueueDefinitionBuilder, Long> setter)
      implements EntityProperty<Long> {}

  /** A number of things. */
  record Count(
      Traits traits,
      Range range,
      Function<QueueDefinition, Integer> getter,
      BiConsumer<QueueDefinitionBuilder, Integer> setter)
      implements EntityProperty<Integer> {}

  /** Yes or no. */
  record Flag(
      Traits traits,
      Function<QueueDefinition, Boolean> getter,
      BiConsumer<QueueDefinitionBuilder, Boolean> setter)
      implements EntityProperty<Boolean> {}

  /** The entity's own path. */
  record Path(
      Traits traits,
      Function<QueueDefinition, String> getter,
      BiConsumer<QueueDefinitionBuilder, String> setter)
      implements EntityProperty<String> {}

  /** The path of another entity, or none. */
  record Destination(
      Traits traits,
      Function<QueueDefinition, @Nullable String> getter,
      BiConsumer<QueueDefinitionBuilder, @Nullable String> setter)
      implements EntityProperty<@Nullable String> {}

  /** What clients may do. */
  record Status(
      Traits traits,
      Function<QueueDefinition, EntityStatus> getter,
      BiConsumer<QueueDefinitionBuilder, EntityStatus> setter)
      implements EntityProperty<EntityStatus> {}

  /** What edges keep and no rule looks at. */
  record Attributes(
      Traits traits,
      Function<QueueDefinition, Map<String, String>> getter,
      BiConsumer<QueueDefinitionBuilder, Map<String, String>> setter)
      implements EntityProperty<Map<String, String>> {}

  /** The role of the entity. */
  record Role(
      Traits traits,
      Function<QueueDefinition, QueueRole> getter,
      BiConsumer<QueueDefinitionBuilder, QueueRole> setter)
      implements EntityProperty<QueueRole> {}
}

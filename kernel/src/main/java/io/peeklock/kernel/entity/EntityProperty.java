package io.peeklock.kernel.entity;

import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A property of a queue, topic or subscription: what it is called, what has it, what it may be, and
 * how it gets out of a {@link QueueDefinition} and into one. All of them stand in {@link
 * EntityProperties}.
 *
 * <p>There is a kind of property for each kind of value, so that who writes and reads values has
 * them typed, and the compiler names every place where another kind would be missing.
 *
 * @param <T> what its values are
 */
public sealed interface EntityProperty<T extends @Nullable Object> {

  /**
   * What each property says about itself, whatever its values are.
   *
   * @param name as Service Bus spells it, where it has a word
   * @param kinds of entities that have it
   * @param fixed whether it stays as it was when the entity was created (S-067)
   * @param since the version of the layout in the log that it came with, from 1; records of earlier
   *     versions are read without it, which leaves its default
   */
  record Traits(String name, Set<EntityKind> kinds, boolean fixed, int since) {}

  /**
   * What a number may be, both ends included; profiles have narrower ones.
   *
   * @param least from 1
   * @param most {@link QueueDefinition#FOREVER} for no limit
   */
  record Range(long least, long most) {
    /** Whether a value is in it. */
    public boolean contains(long value) {
      return value >= least && value <= most;
    }
  }

  /** What it says about itself. */
  Traits traits();

  /** How its value gets out of a definition. */
  Function<QueueDefinition, T> getter();

  /** How it gets into one; out of range it is refused when that is made. */
  BiConsumer<QueueDefinitionBuilder, T> setter();

  /** As Service Bus spells it; for the error that says what differs. */
  default String name() {
    return traits().name();
  }

  /** The value, for comparing and for people; never null. */
  default Object value(QueueDefinition definition) {
    T value = getter().apply(definition);
    return value == null ? "not set" : value;
  }

  /** Takes its value over. */
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

  /** What it is beside a queue. */
  record Role(
      Traits traits,
      Function<QueueDefinition, QueueRole> getter,
      BiConsumer<QueueDefinitionBuilder, QueueRole> setter)
      implements EntityProperty<QueueRole> {}
}

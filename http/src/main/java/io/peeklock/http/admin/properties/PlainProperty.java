package io.peeklock.http.admin.properties;

import io.peeklock.http.admin.properties.Property.Range;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.naming.IsoDuration;

/**
 * How a property of the kernel's table stands in a description when nothing else is said: under its
 * name there, and as its kind of value is written.
 */
final class PlainProperty {
  private PlainProperty() {}

  /**
   * The element.
   *
   * @throws IllegalArgumentException for a kind of value that has no form
   */
  static Property of(EntityProperty<?> property) {
    return fixedIfSo(
        property,
        switch (property) {
          case EntityProperty.Duration it -> duration(it);
          case EntityProperty.Size it ->
              Property.number(
                  it.name(),
                  Range.of(it, it.range()),
                  (draft, bytes) -> it.setter().accept(draft.builder(), bytes),
                  it.getter()::apply);
          case EntityProperty.Count it ->
              Property.number(
                  it.name(),
                  Range.of(it, it.range()),
                  (draft, count) -> it.setter().accept(draft.builder(), Math.toIntExact(count)),
                  it.getter()::apply);
          case EntityProperty.Flag it ->
              Property.flag(
                  it.name(),
                  (draft, wanted) -> it.setter().accept(draft.builder(), wanted),
                  it.getter()::apply);
          case EntityProperty.Destination it ->
              Destination.property(it.name(), it.setter(), it.getter());
          case EntityProperty.Status it -> Statuses.property(it);
          case EntityProperty.Path it -> throw formless(it);
          case EntityProperty.Attributes it -> throw formless(it);
          case EntityProperty.Role it -> throw formless(it);
        });
  }

  private static Property duration(EntityProperty.Duration property) {
    var range = Range.of(property, property.range());
    var form =
        Property.duration(
            property.name(),
            range,
            (draft, millis) -> property.setter().accept(draft.builder(), millis),
            property.getter()::apply);
    return property.range().most() == QueueDefinition.FOREVER
        ? form.unless((draft, given) -> isNothing(range, draft, given))
        : form;
  }

  /** Some clients always say "for ever": it means nothing where a profile has a bound. */
  private static boolean isNothing(Range range, DefinitionForm draft, String given) {
    try {
      return range.most().applyAsLong(draft.terms()) < QueueDefinition.FOREVER
          && IsoDuration.millis(given) == QueueDefinition.FOREVER;
    } catch (IllegalArgumentException notOne) {
      return false; // who reads it says so
    }
  }

  private static Property fixedIfSo(EntityProperty<?> property, Property form) {
    return property.traits().fixed()
        ? form.fixed(definition -> property.value(definition).toString())
        : form;
  }

  private static IllegalArgumentException formless(EntityProperty<?> property) {
    return new IllegalArgumentException(property.name() + " needs a form of its own");
  }
}

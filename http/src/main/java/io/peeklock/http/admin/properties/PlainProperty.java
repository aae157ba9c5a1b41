package io.peeklock.http.admin.properties;

import io.peeklock.http.admin.properties.Property.Range;
import io.peeklock.kernel.entity.EntityProperty;

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
          case EntityProperty.Duration it -> duration(it, Range.of(it.range()));
          case EntityProperty.Size it ->
              Property.number(
                  it.name(),
                  Range.of(it.range()),
                  (draft, bytes) -> it.setter().accept(draft.builder(), bytes),
                  it.getter()::apply);
          case EntityProperty.Count it ->
              Property.number(
                  it.name(),
                  Range.of(it.range()),
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

  /** The same with a range that the profile has a say in. */
  static Property duration(EntityProperty.Duration property, Range range) {
    return Property.duration(
        property.name(),
        range,
        (draft, millis) -> property.setter().accept(draft.builder(), millis),
        property.getter()::apply);
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

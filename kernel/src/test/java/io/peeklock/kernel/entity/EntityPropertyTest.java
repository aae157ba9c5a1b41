package io.peeklock.kernel.entity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class EntityPropertyTest {

  private static final QueueDefinition ONE = QueueDefinition.named("one");
  private static final QueueDefinition OTHER =
      new QueueDefinition(
          "other",
          5_000,
          3,
          QueueDefinition.FOREVER,
          true,
          1_024,
          2_048,
          false,
          30_000,
          EntityStatus.DISABLED,
          "next",
          "dead",
          QueueDefinition.FOREVER,
          true,
          Map.of("UserMetadata", "a comment"),
          new QueueRole.Topic(true));

  @Test
  void everyComponentOfADefinitionIsInTheTable() {
    assertThat(EntityProperties.ALL).hasSameSizeAs(QueueDefinition.class.getRecordComponents());
    assertThat(EntityProperties.ALL).extracting(EntityProperty::name).doesNotHaveDuplicates();
  }

  @Test
  void aRangeHasItsEndsAndNothingBeyond() {
    var range = new EntityProperty.Range(2, 4);

    assertThat(range.contains(1)).isFalse();
    assertThat(range.contains(2)).isTrue();
    assertThat(range.contains(4)).isTrue();
    assertThat(range.contains(5)).isFalse();
  }

  @Test
  void whatIsTakenOverPropertyByPropertyIsEqual() {
    var builder = ONE.with();
    for (var property : EntityProperties.ALL) {
      property.copy(OTHER, builder);
    }

    assertThat(builder.build()).isEqualTo(OTHER);
  }

  @Test
  void aPropertyThatIsTakenOverIsTheOneThatDiffered() {
    for (var property : EntityProperties.ALL) {
      var builder = ONE.with();
      property.copy(OTHER, builder);
      var changed = builder.build();

      assertThat(property.value(changed)).as(property.name()).isEqualTo(property.value(OTHER));
      for (var rest : EntityProperties.ALL) {
        if (!rest.equals(property)) {
          assertThat(rest.value(changed)).as(rest.name()).isEqualTo(rest.value(ONE));
        }
      }
    }
  }

  @Test
  void theRangesOfTheTableAreThoseOfDefinitions() {
    for (var property : EntityProperties.ALL) {
      switch (property) {
        case EntityProperty.Duration it -> holdsIn(it, it.range(), millis -> millis);
        case EntityProperty.Size it -> holdsIn(it, it.range(), bytes -> bytes);
        case EntityProperty.Count it -> holdsIn(it, it.range(), Math::toIntExact);
        default -> {} // not a number
      }
    }
  }

  private static <T> void holdsIn(
      EntityProperty<T> property, EntityProperty.Range range, Function<Long, T> value) {
    assertThat(isTaken(property, value.apply(range.least()))).as(property.name()).isTrue();
    assertThat(isTaken(property, value.apply(range.most()))).as(property.name()).isTrue();
    assertThat(isTaken(property, value.apply(range.least() - 1))).as(property.name()).isFalse();
    if (range.most() < Integer.MAX_VALUE) {
      assertThat(isTaken(property, value.apply(range.most() + 1))).as(property.name()).isFalse();
    }
  }

  private static <T> boolean isTaken(EntityProperty<T> property, T value) {
    var builder = ONE.with();
    property.setter().accept(builder, value);
    try {
      return property.value(builder.build()).equals(value);
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }
}

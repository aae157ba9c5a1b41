package io.peeklock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
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
    assertThat(EntityProperty.ALL).hasSameSizeAs(QueueDefinition.class.getRecordComponents());
    assertThat(EntityProperty.ALL).extracting(EntityProperty::name).doesNotHaveDuplicates();
  }

  @Test
  void whatIsTakenOverPropertyByPropertyIsEqual() {
    var builder = ONE.with();
    for (var property : EntityProperty.ALL) {
      takeOver(property, OTHER, builder);
    }

    assertThat(builder.done()).isEqualTo(OTHER);
  }

  @Test
  void aPropertyThatIsTakenOverIsTheOneThatDiffered() {
    for (var property : EntityProperty.ALL) {
      var builder = ONE.with();
      takeOver(property, OTHER, builder);
      var changed = builder.done();

      assertThat(property.value(changed)).as(property.name()).isEqualTo(property.value(OTHER));
      for (var rest : EntityProperty.ALL) {
        if (!rest.equals(property)) {
          assertThat(rest.value(changed)).as(rest.name()).isEqualTo(rest.value(ONE));
        }
      }
    }
  }

  private static void takeOver(
      EntityProperty property, QueueDefinition from, QueueDefinitionBuilder to) {
    switch (property) {
      case EntityProperty.Amount it -> it.setter().accept(to, it.getter().applyAsLong(from));
      case EntityProperty.Count it -> it.setter().accept(to, it.getter().applyAsInt(from));
      case EntityProperty.Flag it -> it.setter().accept(to, it.getter().test(from));
      case EntityProperty.Status it -> it.setter().accept(to, it.getter().apply(from));
      case EntityProperty.Path it -> it.setter().accept(to, it.getter().apply(from));
      case EntityProperty.Destination it -> it.setter().accept(to, it.getter().apply(from));
      case EntityProperty.Attributes it -> it.setter().accept(to, it.getter().apply(from));
      case EntityProperty.Role it -> it.setter().accept(to, it.getter().apply(from));
    }
  }
}

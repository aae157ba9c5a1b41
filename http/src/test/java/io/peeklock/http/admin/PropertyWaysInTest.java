package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.http.admin.properties.DefinitionForm;
import io.peeklock.http.admin.properties.Kind;
import io.peeklock.http.admin.properties.Tables;
import io.peeklock.kernel.entity.EntityKind;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.runtime.naming.IsoDuration;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the kernel's table has can be said in a description. */
class PropertyWaysInTest {

  /** Deliberately: an entity has its path by its address. */
  private static final Set<EntityProperty<?>> WITHOUT = Set.of(EntityProperties.PATH);

  /** What is written otherwise than the table says, and with that changes the property. */
  private static final Map<EntityProperty<?>, String> OTHERWISE =
      Map.of(
          EntityProperties.MAX_SIZE,
          element("MaxSizeInMegabytes", "2048"),
          EntityProperties.MAX_MESSAGE_SIZE,
          element("MaxMessageSizeInKilobytes", "512"),
          EntityProperties.DUPLICATE_WINDOW,
          element("RequiresDuplicateDetection", "true"),
          EntityProperties.ATTRIBUTES,
          element("UserMetadata", "a comment"),
          EntityProperties.ROLE,
          element("FilteringMessagesBeforePublishing", "true")
              + element("DeadLetteringOnFilterEvaluationExceptions", "false"));

  @ParameterizedTest
  @EnumSource
  void everyPropertyOfTheTableHasAnElement(Kind kind) {
    var nothing = described(kind, "");
    for (var property : EntityProperties.ALL) {
      var isOfKind = property.traits().kinds().contains(EntityKind.valueOf(kind.name()));
      var isPlainRole = property.equals(EntityProperties.ROLE) && kind == Kind.QUEUE;
      if (isOfKind && !isPlainRole && !WITHOUT.contains(property)) {
        var own = OTHERWISE.get(property);
        var said = own == null ? element(property.name(), other(property, nothing)) : own;

        assertThat(property.value(described(kind, said)))
            .as("%s of a %s by %s", property.name(), kind.word(), said)
            .isNotEqualTo(property.value(nothing));
      }
    }
  }

  /** A value that it does not have when nothing is said. */
  private static String other(EntityProperty<?> property, QueueDefinition nothing) {
    return switch (property) {
      case EntityProperty.Duration it ->
          IsoDuration.text(other(it.range(), it.getter().apply(nothing)));
      case EntityProperty.Size it -> Long.toString(other(it.range(), it.getter().apply(nothing)));
      case EntityProperty.Count it -> Long.toString(other(it.range(), it.getter().apply(nothing)));
      case EntityProperty.Flag it -> Boolean.toString(!it.getter().apply(nothing));
      case EntityProperty.Destination it -> "another";
      case EntityProperty.Status it -> "Disabled";
      case EntityProperty.Path it -> throw new AssertionError(it.name());
      case EntityProperty.Attributes it -> throw new AssertionError(it.name());
      case EntityProperty.Role it -> throw new AssertionError(it.name());
    };
  }

  private static long other(EntityProperty.Range range, long value) {
    return value == range.least() ? range.most() : range.least();
  }

  private static QueueDefinition described(Kind kind, String elements) {
    var role =
        switch (kind) {
          case QUEUE -> QueueRole.QUEUE;
          case TOPIC -> new QueueRole.Topic(false);
          case SUBSCRIPTION -> new QueueRole.Subscription("topic", true);
        };
    var xml = "<" + kind.element() + ">" + elements + "</" + kind.element() + ">";
    var draft = DefinitionForm.create(AdminFixture.relaxed(), "2024-05", "path", role);
    Tables.read(
        kind, XmlNode.read(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8))), draft);
    return draft.build();
  }

  private static String element(String name, String value) {
    return "<" + name + ">" + value + "</" + name + ">";
  }
}

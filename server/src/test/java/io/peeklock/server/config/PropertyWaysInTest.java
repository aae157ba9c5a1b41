package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.EntityKind;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.naming.IsoDuration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the kernel's table has can be said in a configuration. */
class PropertyWaysInTest {

  /** Deliberately: the path is the name that properties are said of. */
  private static final Set<EntityProperty<?>> WITHOUT = Set.of(EntityProperties.PATH);

  /** What is written otherwise than the table says, and with that changes the property. */
  private static final Map<EntityProperty<?>, Map<String, String>> OTHERWISE =
      Map.of(
          EntityProperties.MAX_SIZE,
          Map.of("MaxSizeInMegabytes", "2048"),
          EntityProperties.MAX_MESSAGE_SIZE,
          Map.of("MaxMessageSizeInKilobytes", "512"),
          EntityProperties.DUPLICATE_WINDOW,
          Map.of("RequiresDuplicateDetection", "true"),
          EntityProperties.ATTRIBUTES,
          Map.of("UserMetadata", "a comment"));

  @ParameterizedTest
  @EnumSource
  void everyPropertyOfTheTableCanBeSaid(EntityKind kind) {
    var nothing = said(kind, Map.of());
    for (var property : EntityProperties.ALL) {
      var isPlainRole = property.equals(EntityProperties.ROLE) && kind == EntityKind.QUEUE;
      if (property.traits().kinds().contains(kind) && !isPlainRole && !WITHOUT.contains(property)) {
        var own = property.equals(EntityProperties.ROLE) ? ofRole(kind) : OTHERWISE.get(property);
        var says = own == null ? Map.of(property.name(), other(property, nothing)) : own;

        assertThat(property.value(said(kind, says)))
            .as("%s of a %s by %s", property.name(), kind.word(), says)
            .isNotEqualTo(property.value(nothing));
      }
    }
  }

  private static Map<String, String> ofRole(EntityKind kind) {
    return kind == EntityKind.TOPIC
        ? Map.of("FilteringMessagesBeforePublishing", "true")
        : Map.of("DeadLetteringOnFilterEvaluationExceptions", "false");
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

  private static QueueDefinition said(EntityKind kind, Map<String, String> properties) {
    var name = kind == EntityKind.SUBSCRIPTION ? "topic/name" : "name";
    var draft = new QueueDraft(Profile.RELAXED, kind, name);
    properties.forEach(draft::set);
    return draft.build();
  }
}

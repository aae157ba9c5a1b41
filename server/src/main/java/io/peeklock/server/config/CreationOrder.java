package io.peeklock.server.config;

import io.peeklock.kernel.entity.QueueRole;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entities in an order in which they can be made: what feeds others and what others forward to
 * comes before those (S-286).
 */
final class CreationOrder {
  private final Map<String, Entity> byPath = new LinkedHashMap<>();
  private final List<Entity> entities;
  private final List<Entity> ordered = new ArrayList<>();
  private final Set<Entity> placed = new LinkedHashSet<>();
  private final Set<Entity> onTheWay = new LinkedHashSet<>();

  CreationOrder(List<Entity> entities) {
    this.entities = entities;
    for (var entity : entities) {
      byPath.put(key(entity.definition().path()), entity);
    }
  }

  private static String key(String path) {
    return path.toLowerCase(Locale.ROOT);
  }

  /**
   * All of them.
   *
   * @throws ConfigurationException when some forward in a circle, of which none can be the first
   */
  List<Entity> all() {
    entities.forEach(this::place);
    return ordered;
  }

  private void place(Entity entity) {
    if (placed.contains(entity)) {
      return;
    }
    if (!onTheWay.add(entity)) {
      throw new ConfigurationException(
          "these forward in a circle, so none can be made first: "
              + String.join(
                  ", ", onTheWay.stream().map(each -> each.definition().path()).toList()));
    }
    var definition = entity.definition();
    if (definition.role() instanceof QueueRole.Subscription subscription) {
      placeBefore(entity, subscription.topicPath());
    }
    placeBefore(entity, definition.forwardTo());
    placeBefore(entity, definition.forwardDeadLettersTo());
    onTheWay.remove(entity);
    placed.add(entity);
    ordered.add(entity);
  }

  private void placeBefore(Entity entity, @Nullable String path) {
    if (path == null || path.equalsIgnoreCase(entity.definition().path())) {
      return;
    }
    var other = byPath.get(key(path));
    if (other != null) {
      place(other);
    }
  }
}

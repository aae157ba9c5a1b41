package io.peeklock.simulator.model;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the model does not judge, and why: entities that something touched which it does not know.
 */
final class Unknown {
  private final Set<String> paths = new TreeSet<>();
  private final Map<String, Long> reasons = new TreeMap<>();

  /** Whether the entity of this path, or of this dead-letter queue, is not judged. */
  boolean has(String path) {
    var entity = State.entity(path);
    var end = entity.indexOf(Entity.SUBSCRIPTIONS);
    return paths.contains(entity) || (end >= 0 && paths.contains(entity.substring(0, end)));
  }

  /** Whether a subscription of it is not judged, or itself. */
  boolean hasWithin(String path) {
    return paths.stream().anyMatch(each -> State.isWithin(each, path));
  }

  /** Whether that is news. */
  boolean add(String entity, String why) {
    if (!paths.add(entity)) {
      return false;
    }
    reasons.merge(why, 1L, Long::sum);
    return true;
  }

  /** It was deleted, and whatever comes in its place is known. */
  void forget(String entity) {
    paths.remove(entity);
  }

  /** Nothing is left. */
  void forgetAll() {
    paths.clear();
  }

  /** How often what was the reason. */
  Map<String, Long> reasons() {
    return Collections.unmodifiableMap(reasons);
  }
}

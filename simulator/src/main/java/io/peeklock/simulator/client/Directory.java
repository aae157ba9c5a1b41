package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.runtime.Catalogue;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which entities there are, by what was decided, which may not be durable yet. */
final class Directory {
  private static final String DEAD_LETTERS = "/$deadletterqueue";

  private final TreeMap<String, Entity> entities = new TreeMap<>();

  /** An entity, its dead-letter queue, and what it was made or changed to. */
  record Entity(QueueId queue, QueueId deadLetters, QueueDefinition definition) {}

  /** The entity of a path, be it that of its dead-letter queue; null for none. */
  @Nullable Entity entity(String path) {
    var key = key(path);
    return entities.get(isDeadLetterQueue(path) ? strip(key) : key);
  }

  /** The queue of a path, or the dead-letter queue; null for none. */
  @Nullable QueueId queue(String path) {
    var entity = entity(path);
    if (entity == null) {
      return null;
    }
    return isDeadLetterQueue(path) ? entity.deadLetters() : entity.queue();
  }

  List<String> paths() {
    return entities.values().stream().map(entity -> entity.definition().path()).toList();
  }

  static boolean isDeadLetterQueue(String path) {
    return key(path).endsWith(DEAD_LETTERS);
  }

  void put(Entity entity) {
    entities.put(key(entity.definition().path()), entity);
  }

  /** It is gone, and what is behind its path. */
  void remove(String path) {
    var key = key(path);
    entities.keySet().removeIf(each -> each.equals(key) || each.startsWith(key + "/"));
  }

  /** All are gone. */
  void clear() {
    entities.clear();
  }

  /** Another process has begun: there is what is durable. */
  void restarted(Catalogue catalogue) {
    entities.clear();
    catalogue
        .queues()
        .forEach(
            (path, entry) ->
                put(new Entity(entry.queue(), entry.deadLetterQueue(), entry.definition())));
  }

  private static String strip(String key) {
    return key.substring(0, key.length() - DEAD_LETTERS.length());
  }

  private static String key(String path) {
    return path.toLowerCase(Locale.ROOT);
  }
}

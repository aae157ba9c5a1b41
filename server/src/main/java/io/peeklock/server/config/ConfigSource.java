package io.peeklock.server.config;

import io.peeklock.kernel.entity.EntityKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one source, the command line or the file, says; not judged yet. */
public final class ConfigSource {
  private final Map<Setting, Value> settings = new EnumMap<>(Setting.class);
  private final List<EntityConfig> entities = new ArrayList<>();
  private final List<NamespaceConfig> namespaces = new ArrayList<>();
  private final List<PolicyConfig> policies = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private boolean remakes;

  /**
   * A value as it was written.
   *
   * @param where what errors begin with
   */
  record Value(String value, String where) {
    ConfigurationException wrong(String reason) {
      return new ConfigurationException(where + ": " + reason);
    }

    boolean truth() {
      try {
        return QueueDraft.truth(value);
      } catch (IllegalArgumentException neither) {
        throw wrong(String.valueOf(neither.getMessage()));
      }
    }
  }

  /**
   * Sets something; null says nothing.
   *
   * @param where what an error about it begins with, such as the option
   */
  public ConfigSource say(Setting setting, @Nullable String value, String where) {
    if (value != null) {
      settings.put(setting, new Value(value, where));
    }
    return this;
  }

  /**
   * Adds a queue.
   *
   * @param option {@code NAME[,Property=value…]}
   */
  public ConfigSource queue(String option) {
    return add(EntityConfig.ofOption(EntityKind.QUEUE, option));
  }

  ConfigSource add(EntityConfig entity) {
    entities.add(entity);
    return this;
  }

  ConfigSource add(NamespaceConfig namespace) {
    namespaces.add(namespace);
    return this;
  }

  /**
   * Lets a broker in memory have no data folder, where a source has both: an image sets a folder
   * for everybody, and who starts it can only add to that.
   */
  void preferMemory() {
    var memory = settings.get(Setting.IN_MEMORY);
    if (memory != null && memory.value().equalsIgnoreCase("true")) {
      settings.remove(Setting.DATA);
    }
  }

  /** Says that an entity of a file that cannot become as it says is deleted and made again. */
  void remakesEntities() {
    remakes = true;
  }

  boolean isRemaking() {
    return remakes;
  }

  void forgetEntities() {
    entities.clear();
  }

  @Nullable Value of(Setting setting) {
    return settings.get(setting);
  }

  /** What was not as it should be, and taken all the same, one sentence each; may be added to. */
  List<String> warnings() {
    return warnings;
  }

  List<NamespaceConfig> namespaces() {
    return namespaces;
  }

  /** Of the default namespace; may be added to. */
  List<PolicyConfig> policies() {
    return policies;
  }

  List<EntityConfig> entities() {
    return entities;
  }
}

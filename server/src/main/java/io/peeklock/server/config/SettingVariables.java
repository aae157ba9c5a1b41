package io.peeklock.server.config;

import io.peeklock.kernel.entity.EntityKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings by variables of the environment: {@code PEEKLOCK_DISK_RESERVE_MEGABYTES} is {@code
 * --disk-reserve-megabytes}. Read strictly: one that is misspelt is an error, for it would do
 * nothing. Another one of that prefix may be somebody else's, so it is a warning. An empty one says
 * nothing.
 */
final class SettingVariables {
  private static final String PREFIX = "PEEKLOCK_";
  private static final String CONFIG = PREFIX + "CONFIG";
  private static final String CONFIG_JSON = PREFIX + "CONFIG_JSON";
  private static final Map<String, EntityKind> ENTITIES =
      Map.of(
          PREFIX + "QUEUES", EntityKind.QUEUE,
          PREFIX + "TOPICS", EntityKind.TOPIC,
          PREFIX + "SUBSCRIPTIONS", EntityKind.SUBSCRIPTION);
  private static final String SERVICE_HOST = "_SERVICE_HOST";

  /** What others read: installers, the launcher, the log, the commands of clients. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          PREFIX + "HOME",
          PREFIX + "JAVA",
          PREFIX + "GC",
          PREFIX + "HEAP",
          PREFIX + "MEMORY",
          PREFIX + "BODY_MEMORY",
          PREFIX + "JVM_FLAGS",
          PREFIX + "NO_BUILD",
          PREFIX + "LAUNCHER",
          PREFIX + "LOG",
          PREFIX + "LOG_FORMAT",
          PREFIX + "LOG_LIBRARIES",
          PREFIX + "CONNECTION",
          PREFIX + "CA");

  private final Map<String, String> said;
  private final List<String> warnings = new ArrayList<>();

  /**
   * Keeps those that are ours.
   *
   * @throws ConfigurationException when one is misspelt
   */
  SettingVariables(Map<String, String> environment) {
    said = new TreeMap<>();
    var services = services(environment);
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX) && !isOfService(name, value, services)) {
            said.put(name, value);
          }
        });
    said.keySet().forEach(this::check);
    said.values().removeIf(String::isBlank);
  }

  private void check(String name) {
    var known = new ArrayList<>(OF_OTHERS);
    known.add(CONFIG);
    known.add(CONFIG_JSON);
    known.addAll(ENTITIES.keySet());
    for (var setting : Setting.values()) {
      known.add(setting.variable());
    }
    if (known.contains(name)) {
      return;
    }
    var problem =
        "the environment has " + name + ", which sets nothing" + Nearest.hint(name, known);
    if (isMisspelt(name.substring(PREFIX.length()), known)) {
      throw new ConfigurationException(problem);
    }
    warnings.add(problem);
  }

  /** Whether what follows the prefix is a known word, but for a letter or two. */
  private static boolean isMisspelt(String word, List<String> known) {
    var least = 4; // shorter ones are near to each other anyway
    return word.length() >= least
        && known.stream().anyMatch(name -> isNear(word, name.substring(PREFIX.length())));
  }

  /** One letter, or two that changed places; two of a long word. */
  private static boolean isNear(String word, String known) {
    var isLong = 6;
    var distance = Nearest.distance(word, known);
    return distance <= (word.length() >= isLong ? 2 : 1)
        || (distance == 2 && letters(word).equals(letters(known)));
  }

  private static List<Integer> letters(String word) {
    return word.toUpperCase(Locale.ROOT).chars().sorted().boxed().toList();
  }

  /** What variables of Kubernetes about services begin with: it has some for each service. */
  private static List<String> services(Map<String, String> environment) {
    return environment.keySet().stream()
        .filter(name -> name.endsWith(SERVICE_HOST))
        .map(name -> name.substring(0, name.length() - SERVICE_HOST.length()))
        .toList();
  }

  /** A service of the name peeklock makes {@code PEEKLOCK_PORT=tcp://10.0.0.1:5672}. */
  private static boolean isOfService(String name, String value, List<String> services) {
    return services.stream()
        .anyMatch(
            service ->
                name.startsWith(service + "_SERVICE_")
                    || name.startsWith(service + "_PORT_")
                    || (name.equals(service + "_PORT") && value.contains("://")));
  }

  /** What they set. */
  ConfigSource configured() {
    var configured = new ConfigSource();
    configured.warnings().addAll(warnings);
    for (var setting : Setting.values()) {
      var value = said.get(setting.variable());
      configured.say(setting, value == null ? null : value.strip(), setting.variable());
    }
    configured.preferMemory();
    said.forEach(
        (name, value) -> {
          var kind = ENTITIES.get(name);
          if (kind != null) {
            entities(value).forEach(option -> configured.add(EntityConfig.ofOption(kind, option)));
          }
        });
    return configured;
  }

  /**
   * Parts a list as the options have its entries. A word with an equals sign is a property of the
   * entity before it, as no name holds one.
   */
  private static List<String> entities(String list) {
    var options = new ArrayList<String>();
    for (var word : list.strip().split("[,;\\s]+", -1)) {
      if (word.indexOf('=') > 0 && !options.isEmpty()) {
        options.set(options.size() - 1, options.getLast() + "," + word);
      } else if (!word.isEmpty()) {
        options.add(word);
      }
    }
    return options;
  }

  /** The text of an emulator's file; null for none. */
  @Nullable String configJson() {
    return said.get(CONFIG_JSON);
  }

  /** The file that they name; null for none. */
  @Nullable String config() {
    return said.get(CONFIG);
  }
}

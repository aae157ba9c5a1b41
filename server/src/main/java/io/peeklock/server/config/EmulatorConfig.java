package io.peeklock.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.peeklock.kernel.entity.EntityKind;
import io.peeklock.runtime.naming.IsoDuration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the {@code Config.json} of the vendor's emulator, with the emulator's defaults. Kind to how
 * people write it: what is unknown is left out with a warning. Never to what would change where
 * messages go: a value or a rule that is wrong ends the start.
 */
final class EmulatorConfig {
  private static final String ROOT = "UserConfig";
  private static final String NAMESPACES = "Namespaces";
  private static final String NAME = "Name";
  private static final String QUEUES = "Queues";
  private static final String TOPICS = "Topics";
  private static final String SUBSCRIPTIONS = "Subscriptions";
  private static final String RULES = "Rules";
  private static final String PROPERTIES = "Properties";
  private static final String CONNECTIONS = "MaxAllowedConnections";
  private static final String WINDOW = "DuplicateDetectionHistoryTimeWindow";
  private static final String DETECTION = "RequiresDuplicateDetection";
  private static final long SHORTEST_WINDOW = 20_000;

  private static final Pattern KEY = Pattern.compile("(?i)\"(?:UserConfig|Namespaces)\"\\s*:");

  /** What an entity has that does not say; not what the administration API gives it. */
  private static final Map<EntityKind, Map<String, String>> DEFAULTS =
      Map.of(
          EntityKind.QUEUE,
          Map.of(
              "DefaultMessageTimeToLive",
              "PT1H",
              WINDOW,
              "PT20S",
              "LockDuration",
              "PT1M",
              "MaxDeliveryCount",
              "3"),
          EntityKind.TOPIC,
          Map.of("DefaultMessageTimeToLive", "PT1H", WINDOW, "PT20S"),
          EntityKind.SUBSCRIPTION,
          Map.of(
              "DefaultMessageTimeToLive", "PT1H", "LockDuration", "PT1M", "MaxDeliveryCount", "3"));

  /** What the emulator's schema has; what it has not may be wrong without harm. */
  private static final Set<String> OF_SCHEMA =
      Set.of(
          "DeadLetteringOnMessageExpiration",
          "DefaultMessageTimeToLive",
          WINDOW,
          "ForwardDeadLetteredMessagesTo",
          "ForwardTo",
          "LockDuration",
          "MaxDeliveryCount",
          DETECTION,
          "RequiresSession");

  private final ConfigSource configured = new ConfigSource();
  private final String file;

  private EmulatorConfig(Path file) {
    this.file = file.toString();
  }

  /** Whether a text is such a file, rather than YAML, which JSON is too. */
  static boolean isOne(String text) {
    return KEY.matcher(text).find() && JsonPart.isObject(bare(text));
  }

  /**
   * Reads a text.
   *
   * @throws ConfigurationException when it is no JSON, or says what cannot be
   */
  static ConfigSource read(Path file, String text) {
    var config = new EmulatorConfig(file);
    try {
      config.root(JsonPart.read(bare(text)));
    } catch (JsonProcessingException broken) {
      var location = broken.getLocation();
      var at = location == null ? "" : ", line " + location.getLineNr();
      var reason = JsonPart.problem(broken);
      throw new ConfigurationException(file + at + ": not readable as JSON: " + reason);
    } catch (IOException impossible) {
      throw new ConfigurationException(file + ": " + impossible.getMessage());
    }
    return config.configured;
  }

  private static String bare(String text) {
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private void root(JsonPart part) {
    var names = List.of(ROOT, NAMESPACES, "Logging");
    var root = EmulatorObject.of(file, "$", part, names, configured.warnings()).warnOfUnknown();
    if (root.get(NAMESPACES) != null) {
      root.warn(NAMESPACES, "belongs into " + ROOT + ", and is taken");
      namespaces(root);
    }
    if (root.get(NAMESPACES) == null && root.get(ROOT) == null) {
      throw root.wrong("has no " + ROOT);
    }
    var user = root.object(ROOT, List.of(NAMESPACES, "Logging")).warnOfUnknown();
    user.object("Logging", List.of("Type")).warnOfUnknown(); // the log goes where it always goes
    namespaces(user);
    configured.say(Setting.PROFILE, Profile.EMULATOR.word(), file);
  }

  private void namespaces(EmulatorObject parent) {
    var names = List.of(NAME, QUEUES, TOPICS, PROPERTIES);
    var namespaces = parent.objects(NAMESPACES, names);
    if (namespaces.size() > 1) {
      parent.warn(NAMESPACES, "there is one namespace here, which gets the entities of all");
    }
    for (var namespace : namespaces) {
      namespace.warnOfUnknown();
      var properties = namespace.object(PROPERTIES, List.of(CONNECTIONS)).warnOfUnknown();
      var connections = properties.text(CONNECTIONS);
      if (connections != null) {
        configured.say(
            Setting.CONNECTION_LIMIT, connections, sentence(properties.where(CONNECTIONS)));
      }
      var taken = new HashSet<String>();
      for (var queue : namespace.objects(QUEUES, List.of(NAME, PROPERTIES))) {
        entity(EntityKind.QUEUE, queue, nameOf(queue, "queue or topic", taken), List.of());
      }
      for (var topic : namespace.objects(TOPICS, List.of(NAME, PROPERTIES, SUBSCRIPTIONS))) {
        topic(topic, nameOf(topic, "queue or topic", taken));
      }
    }
  }

  /** Without the colon that another one will put behind it. */
  private static String sentence(String where) {
    return where.substring(0, where.length() - 2);
  }

  private void topic(EmulatorObject topic, String name) {
    var names = new HashSet<String>();
    entity(EntityKind.TOPIC, topic, name, List.of());
    for (var subscription : topic.objects(SUBSCRIPTIONS, List.of(NAME, PROPERTIES, RULES))) {
      var rules = new ArrayList<RuleConfig>();
      var taken = new HashSet<String>();
      for (var rule : subscription.objects(RULES, EmulatorRule.NAMES)) {
        var given = EmulatorRule.read(rule);
        checkNew(rule, "rule", given.name(), taken);
        rules.add(given);
      }
      var own = nameOf(subscription, "subscription", names);
      entity(EntityKind.SUBSCRIPTION, subscription, name + "/" + own, rules);
    }
  }

  /** A name that none of those before it has. */
  private static String nameOf(EmulatorObject entity, String kind, Set<String> taken) {
    var name = entity.text(NAME);
    if (name == null) {
      throw entity.wrong("has no " + NAME);
    }
    checkNew(entity, kind, name, taken);
    return name;
  }

  private static void checkNew(EmulatorObject object, String kind, String name, Set<String> taken) {
    if (!taken.add(name.toLowerCase(Locale.ROOT))) {
      throw object.wrong(NAME, "there is a " + kind + " " + name + " already");
    }
  }

  private void entity(EntityKind kind, EmulatorObject entity, String name, List<RuleConfig> rules) {
    var known = QueueProperty.names(kind);
    var said = new LinkedHashMap<String, EntityConfig.Property>();
    DEFAULTS
        .getOrDefault(kind, Map.of())
        .forEach((key, value) -> said.put(key, new EntityConfig.Property(key, value, "")));
    astray(entity, known, said);
    var properties = entity.object(PROPERTIES, known).warnOfUnknown();
    var detects = "true".equalsIgnoreCase(properties.text(DETECTION));
    for (var key : known) {
      var value = properties.text(key);
      if (value != null && (detects || !isIdleWindow(key, value))) {
        said.put(key, property(properties, key, value));
      }
    }
    configured.add(
        new EntityConfig(kind, name, List.copyOf(said.values()), rules, entity.where(NAME), true));
  }

  /** Properties that stand beside {@code Properties} rather than in it. */
  private static void astray(
      EmulatorObject entity, Collection<String> known, Map<String, EntityConfig.Property> said) {
    for (var field : entity.unknown()) {
      var key =
          known.stream().filter(name -> name.equalsIgnoreCase(field.key())).findFirst().orElse("");
      if (field.part() instanceof JsonPart.Scalar value && !key.isEmpty() && !value.isNull()) {
        entity.warn(field, "belongs into " + PROPERTIES + ", and is taken");
        said.put(key, new EntityConfig.Property(key, value.text(), entity.where(NAME)));
      } else {
        entity.warn(field, "is not known, and left out");
      }
    }
  }

  private static EntityConfig.Property property(
      EmulatorObject properties, String key, String value) {
    var where = properties.where(key);
    if (key.equals(WINDOW) && isShortWindow(value)) {
      properties.warn(key, value + " is taken for PT20S, the shortest window here");
      return new EntityConfig.Property(key, "PT20S", where);
    }
    return new EntityConfig.Property(key, value, where, !OF_SCHEMA.contains(key));
  }

  /** A window of a detection that is off has no range to keep to; people copy it as it was. */
  private static boolean isIdleWindow(String key, String value) {
    try {
      return key.equals(WINDOW) && IsoDuration.millis(value) >= 0;
    } catch (IllegalArgumentException wrong) {
      return false;
    }
  }

  /** The emulator takes them from five seconds on. */
  private static boolean isShortWindow(String value) {
    try {
      var millis = IsoDuration.millis(value);
      return millis >= 5_000 && millis < SHORTEST_WINDOW;
    } catch (IllegalArgumentException wrong) {
      return false; // which is said when it is judged
    }
  }
}

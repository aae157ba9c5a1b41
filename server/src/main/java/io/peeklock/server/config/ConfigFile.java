package io.peeklock.server.config;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.peeklock.kernel.entity.EntityKind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file that is named: the vendor emulator's, or else YAML, strictly: an unknown key is an
 * error with its line and the nearest key that is known. The keys are those of {@link Setting}, and
 * {@code queues} and {@code topics}: mappings of names to properties. A topic may have {@code
 * subscriptions}, such a mapping too, and a subscription {@code rules}, a mapping of names to
 * {@code filter} and {@code action}. {@code policies} is a mapping of names to {@code rights} and
 * keys. {@code namespaces} is a mapping of names to queues, topics, policies, {@code hosts} and
 * {@code port}. {@code limits} is a mapping of budgets to MiB, or one text as on the command line.
 */
public final class ConfigFile {
  private static final String QUEUES = "queues";
  private static final String TOPICS = "topics";
  private static final String SUBSCRIPTIONS = "subscriptions";
  private static final String RULES = "rules";
  private static final String NAMESPACES = "namespaces";
  private static final String POLICIES = "policies";
  private static final String HOSTS = "hosts";
  private static final String PORT = "port";

  private final Path file;
  private final JsonParser parser;
  private final ConfigSource configured = new ConfigSource();

  private ConfigFile(Path file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /**
   * Reads a file.
   *
   * @throws ConfigurationException when it is missing, is not YAML, or says what cannot be
   */
  public static ConfigSource read(Path file) {
    var factory = YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
    try {
      var text = Files.readString(file);
      if (EmulatorConfig.isOne(text)) {
        return EmulatorConfig.read(file, text);
      }
      try (var parser = factory.build().createParser(text)) {
        return new ConfigFile(file, parser).configured();
      }
    } catch (NoSuchFileException missing) {
      throw new ConfigurationException("the configuration file " + file + " does not exist");
    } catch (AccessDeniedException denied) {
      throw new ConfigurationException(
          "the configuration file " + file + " cannot be read: " + MountedFile.denied(file));
    } catch (JsonProcessingException broken) {
      throw new ConfigurationException(whereOf(file, broken) + firstLine(broken));
    } catch (IOException unreadable) {
      throw new ConfigurationException(
          "the configuration file " + file + " cannot be read: " + unreadable.getMessage());
    }
  }

  /**
   * Reads the text of an emulator's file, from the variable PEEKLOCK_CONFIG_JSON.
   *
   * @throws ConfigurationException when it is none, or says what cannot be
   */
  static ConfigSource ofText(String text) {
    var variable = "PEEKLOCK_CONFIG_JSON";
    if (!EmulatorConfig.isOne(text)) {
      throw new ConfigurationException(
          variable + " holds no Config.json, such as {\"UserConfig\": {\"Namespaces\": […]}}");
    }
    return EmulatorConfig.read(Path.of(variable), text);
  }

  /** Whether it is the vendor emulator's file. */
  static boolean isEmulators(Path file) {
    try {
      return EmulatorConfig.isOne(Files.readString(file));
    } catch (AccessDeniedException denied) {
      throw new ConfigurationException(
          "the configuration file " + file + " cannot be read: " + MountedFile.denied(file));
    } catch (IOException unreadable) {
      return false;
    }
  }

  private ConfigSource configured() throws IOException {
    var first = parser.nextToken();
    if (first == null || isNothing(first)) {
      return configured; // an empty file, or one of comments only
    }
    if (first != JsonToken.START_OBJECT) {
      throw wrong("the file should hold keys and values, such as port: 5672");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      topLevel(parser.currentName());
    }
    if (parser.nextToken() != null) {
      throw wrong("a second document begins here; one is read");
    }
    return configured;
  }

  private void topLevel(String key) throws IOException {
    if (isEntities(key, configured.entities())) {
      return;
    }
    if (key.equals(NAMESPACES)) {
      namespaces();
      return;
    }
    if (key.equals(POLICIES)) {
      policies(configured.policies());
      return;
    }
    var setting = Setting.of(key);
    if (setting == null) {
      var known = new ArrayList<>(Setting.words());
      known.add(QUEUES);
      known.add(TOPICS);
      known.add(NAMESPACES);
      known.add(POLICIES);
      throw wrong("there is no key \"" + key + "\"" + Nearest.hint(key, known));
    }
    if (setting == Setting.LIMITS) {
      var at = where() + key;
      configured.say(setting, limits(), at);
      return;
    }
    configured.say(setting, scalar(key), where() + key);
  }

  /** As the command line spells them; null when nothing is said. */
  private @Nullable String limits() throws IOException {
    var token = parser.nextToken();
    if (isNothing(token)) {
      return null;
    }
    if (token.isScalarValue()) {
      return parser.getText();
    }
    if (token != JsonToken.START_OBJECT) {
      throw wrong("limits should hold budgets and MiB, such as transfers: 64");
    }
    var parts = new ArrayList<String>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var name = parser.currentName();
      parts.add(name + "=" + scalar(name));
    }
    return parts.isEmpty() ? null : String.join(",", parts);
  }

  /** Reads queues or topics where the key says so. */
  private boolean isEntities(String key, List<EntityConfig> into) throws IOException {
    switch (key) {
      case QUEUES -> entities(EntityKind.QUEUE, "", into);
      case TOPICS -> entities(EntityKind.TOPIC, "", into);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void namespaces() throws IOException {
    if (!enter("namespaces should hold names, each followed by a colon")) {
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      namespace(parser.currentName());
    }
  }

  private void namespace(String name) throws IOException {
    var namespace = new NamespaceConfig(name, where() + "namespace " + name);
    configured.add(namespace);
    if (!enter("namespace " + name + " should hold queues, topics, policies, hosts or port")) {
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var key = parser.currentName();
      var at = where() + key;
      if (key.equals(HOSTS)) {
        namespace.hosts(scalar(key), at);
      } else if (key.equals(PORT)) {
        namespace.ports(scalar(key), at);
      } else if (key.equals(POLICIES)) {
        policies(namespace.policies());
      } else if (!isEntities(key, namespace.entities())) {
        var known = List.of(QUEUES, TOPICS, POLICIES, HOSTS, PORT);
        throw wrong("a namespace has no key \"" + key + "\"" + Nearest.hint(key, known));
      }
    }
  }

  private void policies(List<PolicyConfig> into) throws IOException {
    if (!enter("policies should hold names, each followed by a colon")) {
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      into.add(policy(parser.currentName()));
    }
  }

  private PolicyConfig policy(String name) throws IOException {
    var at = where() + "policy " + name;
    var values = new ArrayList<PolicyConfig.Said>();
    if (enter("policy " + name + " should hold rights and a primary-key")) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var key = parser.currentName();
        if (!PolicyConfig.KEYS.contains(key)) {
          throw wrong("a policy has no key \"" + key + "\"" + Nearest.hint(key, PolicyConfig.KEYS));
        }
        values.add(new PolicyConfig.Said(key, scalar(key)));
      }
    }
    return new PolicyConfig(name.strip(), values, at);
  }

  /** Named entities of one kind. */
  private void entities(EntityKind kind, String topic, List<EntityConfig> into) throws IOException {
    if (!enter(kind.word() + "s should hold names, each followed by a colon")) {
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var name = parser.currentName();
      entity(kind, topic.isEmpty() ? name : topic + "/" + name, into);
    }
  }

  private void entity(EntityKind kind, String name, List<EntityConfig> into) throws IOException {
    var where = where();
    var properties = new ArrayList<EntityConfig.Property>();
    var rules = new ArrayList<RuleConfig>();
    var example = EntityConfig.example(kind).replace("=", ": ");
    if (enter(kind.word() + " " + name + " should hold properties, such as " + example)) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var key = parser.currentName();
        if (kind == EntityKind.TOPIC && key.equals(SUBSCRIPTIONS)) {
          entities(EntityKind.SUBSCRIPTION, name, into);
        } else if (kind == EntityKind.SUBSCRIPTION && key.equals(RULES)) {
          rules(rules);
        } else {
          var at = where();
          properties.add(new EntityConfig.Property(key, scalar(key), at));
        }
      }
    }
    into.add(new EntityConfig(kind, name, properties, rules, where));
  }

  private void rules(List<RuleConfig> rules) throws IOException {
    if (!enter("rules should hold names, each followed by a colon")) {
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      rules.add(rule(parser.currentName()));
    }
  }

  private RuleConfig rule(String name) throws IOException {
    var where = where();
    String filter = null;
    String action = null;
    if (enter("rule " + name + " should hold a filter, such as filter: colour = 'red'")) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var key = parser.currentName();
        switch (key) {
          case "filter" -> filter = scalar(key);
          case "action" -> action = scalar(key);
          default ->
              throw wrong(
                  "a rule has no key \""
                      + key
                      + "\""
                      + Nearest.hint(key, List.of("filter", "action")));
        }
      }
    }
    return new RuleConfig(name, filter, action, where);
  }

  /** Whether keys and values follow; not so when there is nothing. */
  private boolean enter(String otherwise) throws IOException {
    var token = parser.nextToken();
    if (isNothing(token)) {
      return false;
    }
    if (token != JsonToken.START_OBJECT) {
      throw wrong(otherwise);
    }
    return true;
  }

  private String scalar(String key) throws IOException {
    var token = parser.nextToken();
    if (token == null || !token.isScalarValue() || isNothing(token)) {
      throw wrong(key + " should have one value");
    }
    return parser.getText();
  }

  /** A key without a value comes as null or as an empty text. */
  private boolean isNothing(JsonToken token) throws IOException {
    return token == JsonToken.VALUE_NULL
        || (token == JsonToken.VALUE_STRING && parser.getText().isEmpty());
  }

  private ConfigurationException wrong(String reason) {
    return new ConfigurationException(where() + reason);
  }

  private String where() {
    return file + ", line " + parser.currentTokenLocation().getLineNr() + ": ";
  }

  private static String whereOf(Path file, JsonProcessingException broken) {
    var location = broken.getLocation();
    return location == null ? file + ": " : file + ", line " + location.getLineNr() + ": ";
  }

  private static String firstLine(JsonProcessingException broken) {
    var text = JsonPart.problem(broken);
    var kind = broken instanceof JsonParseException ? "" : "not readable as YAML: ";
    return kind + (text.isEmpty() ? "not readable as YAML" : text);
  }
}

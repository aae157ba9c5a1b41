package io.peeklock.server.config;

import io.peeklock.kernel.entity.EntityKind;
import io.peeklock.kernel.entity.Rule;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue, topic or subscription that an operator asks for; judged once the profile is known.
 *
 * @param name of a subscription with its topic before it, {@code topic/name}
 * @param rules of a subscription; empty for the one that selects everything (S-313)
 * @param where what errors begin with, such as a file and line; may be empty
 * @param replaces whether one that exists and differs is changed
 */
record EntityConfig(
    EntityKind kind,
    String name,
    List<Property> properties,
    List<RuleConfig> rules,
    String where,
    boolean replaces) {

  EntityConfig(
      EntityKind kind,
      String name,
      List<Property> properties,
      List<RuleConfig> rules,
      String where) {
    this(kind, name, properties, rules, where, false);
  }

  /**
   * One property as it was written.
   *
   * @param optional whether one that is wrong is left out with a warning
   */
  record Property(String name, String value, String where, boolean optional) {
    Property(String name, String value, String where) {
      this(name, value, where, false);
    }
  }

  /** Reads {@code NAME[,Property=value…]}. */
  static EntityConfig ofOption(EntityKind kind, String option) {
    var parts = option.split(",", -1);
    var properties = new ArrayList<Property>();
    for (var i = 1; i < parts.length; i++) {
      var equals = parts[i].indexOf('=');
      if (equals < 0) {
        throw new ConfigurationException(
            kind.word()
                + " "
                + parts[0]
                + ": \""
                + parts[i]
                + "\" should read Property=value, as in --"
                + kind.word()
                + " "
                + parts[0]
                + ","
                + example(kind));
      }
      properties.add(
          new Property(parts[i].substring(0, equals), parts[i].substring(equals + 1), ""));
    }
    return new EntityConfig(kind, parts[0], properties, List.of(), "");
  }

  /** A property, for the errors that show how one is written. */
  static String example(EntityKind kind) {
    return switch (kind) {
      case QUEUE -> "LockDuration=PT30S";
      case TOPIC -> "DefaultMessageTimeToLive=PT1H";
      case SUBSCRIPTION -> "MaxDeliveryCount=5";
    };
  }

  private static void set(QueueDraft draft, Property property, List<String> warnings) {
    try {
      draft.set(property.name(), property.value());
    } catch (ConfigurationException wrong) {
      if (!property.optional()) {
        throw wrong;
      }
      warnings.add(property.where() + wrong.getMessage() + "; left out");
    }
  }

  Entity under(Profile profile, List<String> warnings) {
    var at = where;
    try {
      var draft = new QueueDraft(profile, kind, name);
      for (var property : properties) {
        at = property.where();
        set(draft, property, warnings);
      }
      at = ""; // a rule says where it is
      var judged = new ArrayList<Rule>();
      for (var rule : rules) {
        judged.add(rule.judged(profile));
      }
      at = where;
      var entity = new Entity(draft.build(), judged.isEmpty() ? null : judged);
      return replaces ? entity.whole(Entity.Difference.DEMANDED) : entity.saying(draft.said());
    } catch (ConfigurationException wrong) {
      throw new ConfigurationException(at + wrong.getMessage());
    } catch (IllegalArgumentException together) { // values that do not go together
      throw new ConfigurationException(
          at + kind.word() + " " + name + ": " + together.getMessage());
    }
  }
}

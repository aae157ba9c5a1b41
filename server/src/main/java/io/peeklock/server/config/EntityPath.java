package io.peeklock.server.config;

import io.peeklock.kernel.entity.EntityKind;
import io.peeklock.runtime.naming.EntityNames;

/** The names in a configuration, where a subscription is called {@code topic/name}. */
final class EntityPath {

  private EntityPath() {}

  /** The path of what has this name, of a subscription with its topic's before it. */
  static String checked(EntityKind kind, String given) {
    var name = given.strip();
    var wrong = EntityNames.wrongWith(name);
    if (wrong.isEmpty() && kind == EntityKind.SUBSCRIPTION) {
      wrong = wrongWithSubscription(name);
    }
    if (!wrong.isEmpty()) {
      throw new ConfigurationException("the " + kind.word() + " name \"" + name + "\" " + wrong);
    }
    return kind == EntityKind.SUBSCRIPTION
        ? EntityNames.subscription(topicOf(name), EntityNames.nameOf(name))
        : name;
  }

  private static String wrongWithSubscription(String name) {
    var slash = name.lastIndexOf('/');
    if (slash < 0) {
      return "names no topic; it should read TOPIC/NAME";
    }
    return name.length() - slash - 1 > EntityNames.LONGEST_BELOW
        ? "has a part behind its topic with more than " + EntityNames.LONGEST_BELOW + " characters"
        : "";
  }

  /** The topic in {@code topic/name}. */
  static String topicOf(String name) {
    return name.substring(0, name.lastIndexOf('/'));
  }
}

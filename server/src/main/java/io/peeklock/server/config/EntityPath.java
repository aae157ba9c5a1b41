package io.peeklock.server.config;

/** The names that queues, topics and subscriptions may have (S-058, S-059). */
final class EntityPath {
  private static final int LONGEST = 260;
  private static final int LONGEST_SUBSCRIPTION = 50;
  private static final String SUBSCRIPTIONS = "/Subscriptions/";
  private static final String NEVER = "@?#*\\,=";

  private EntityPath() {}

  /** The path of what has this name, of a subscription with its topic's before it. */
  static String checked(EntityKind kind, String given) {
    var name = given.strip();
    var wrong = wrongWith(name);
    if (wrong.isEmpty() && kind == EntityKind.SUBSCRIPTION) {
      wrong = wrongWithSubscription(name);
    }
    if (!wrong.isEmpty()) {
      throw new ConfigurationException("the " + kind.word() + " name \"" + name + "\" " + wrong);
    }
    return kind == EntityKind.SUBSCRIPTION
        ? topicOf(name) + SUBSCRIPTIONS + name.substring(name.lastIndexOf('/') + 1)
        : name;
  }

  private static String wrongWithSubscription(String name) {
    var slash = name.lastIndexOf('/');
    if (slash < 0) {
      return "names no topic; it should read TOPIC/NAME";
    }
    return name.length() - slash - 1 > LONGEST_SUBSCRIPTION
        ? "has a part behind its topic with more than " + LONGEST_SUBSCRIPTION + " characters"
        : "";
  }

  /** The topic in {@code topic/name}. */
  static String topicOf(String name) {
    return name.substring(0, name.lastIndexOf('/'));
  }

  private static String wrongWith(String name) {
    if (name.isEmpty()) {
      return "is empty";
    }
    if (name.length() > LONGEST) {
      return "has " + name.length() + " characters; at most " + LONGEST + " are taken";
    }
    if (name.startsWith("/") || name.endsWith("/") || name.contains("//")) {
      return "begins or ends with a slash, or has two in a row";
    }
    if (name.startsWith("$") || name.contains("/$")) {
      return "has a part that begins with $, which is reserved";
    }
    for (var i = 0; i < name.length(); i++) {
      var c = name.charAt(i);
      if (NEVER.indexOf(c) >= 0 || Character.isISOControl(c) || Character.isWhitespace(c)) {
        return "holds a character that is not allowed: blanks and any of " + NEVER + " are not";
      }
    }
    return "";
  }
}

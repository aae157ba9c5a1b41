package io.peeklock.runtime.naming;

import java.util.Locale;

/** The rules for names of queues, topics, subscriptions and rules (S-058, S-059). */
public final class EntityNames {
  /** The most characters of a queue's or topic's path. */
  public static final int LONGEST = 260;

  /** The most characters of the name of a subscription or rule. */
  public static final int LONGEST_BELOW = 50;

  private static final String SUBSCRIPTIONS = "/Subscriptions/";
  private static final String NEVER = "@?#*\\,=";

  private EntityNames() {}

  /** The path of a subscription of a topic. */
  public static String subscription(String topic, String name) {
    return topic + SUBSCRIPTIONS + name;
  }

  /** The name of a subscription in its path. */
  public static String nameOf(String subscriptionPath) {
    return subscriptionPath.substring(subscriptionPath.lastIndexOf('/') + 1);
  }

  /**
   * What is wrong with the path of a queue or topic.
   *
   * @return a sentence without its subject, such as "is empty"; empty when it is fine
   */
  public static String wrongWith(String path) {
    if (path.isEmpty()) {
      return "is empty";
    }
    if (path.length() > LONGEST) {
      return "has " + path.length() + " characters; at most " + LONGEST + " are taken";
    }
    if (path.startsWith("/") || path.endsWith("/") || path.contains("//")) {
      return "begins or ends with a slash, or has two in a row";
    }
    if (path.startsWith("$") || path.contains("/$")) {
      return "has a part that begins with $, which is reserved";
    }
    return wrongCharacter(path);
  }

  /** What is wrong with the name of a subscription, as in {@link #wrongWith}. */
  public static String wrongWithSubscription(String name) {
    return name.startsWith("$") ? "begins with $, which is reserved" : wrongBelow(name);
  }

  /**
   * What is wrong with the name of a rule, which may begin with a dollar sign, as that of the
   * default rule does.
   */
  public static String wrongWithRule(String name) {
    return wrongBelow(name);
  }

  private static String wrongBelow(String name) {
    if (name.isEmpty()) {
      return "is empty";
    }
    if (name.length() > LONGEST_BELOW) {
      return "has " + name.length() + " characters; at most " + LONGEST_BELOW + " are taken";
    }
    return name.indexOf('/') >= 0 ? "holds a slash" : wrongCharacter(name);
  }

  private static String wrongCharacter(String name) {
    for (var i = 0; i < name.length(); i++) {
      var c = name.charAt(i);
      if (NEVER.indexOf(c) >= 0 || Character.isISOControl(c) || Character.isWhitespace(c)) {
        return "holds a character that is not allowed: blanks and any of " + NEVER + " are not";
      }
    }
    return "";
  }

  /**
   * An address as texts tell it (S-524): the queue or topic in lower case, what is below it as it
   * was written.
   */
  public static String told(String path) {
    var below = indexOf(path + "/", "/subscriptions/");
    var part = path.indexOf("/$");
    var end = below < 0 ? part : part < 0 ? below : Math.min(below, part);
    return end < 0 ? key(path) : key(path.substring(0, end)) + path.substring(end);
  }

  /**
   * Where a part of a path is, in any case; -1 when it is nowhere. What has changed its case is not
   * searched, as that may change its length ("\u0130").
   */
  public static int indexOf(String path, String part) {
    var at = 0;
    while (at <= path.length() - part.length()
        && !path.regionMatches(true, at, part, 0, part.length())) {
      at++;
    }
    return at <= path.length() - part.length() ? at : -1;
  }

  /** Equal for names that mean the same entity (S-060). */
  public static String key(String path) {
    return path.toLowerCase(Locale.ROOT);
  }
}

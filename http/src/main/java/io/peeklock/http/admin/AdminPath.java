package io.peeklock.http.admin;

import io.peeklock.runtime.naming.EntityNames;

/** What a path means; case is ignored in it, and kept in names (admin-http.md 4.1). */
sealed interface AdminPath {

  /** About the whole namespace. */
  record NamespaceInfo() implements AdminPath {}

  /** All queues. */
  record Queues() implements AdminPath {}

  /** All topics. */
  record Topics() implements AdminPath {}

  /** A queue or topic. */
  record Entity(String path) implements AdminPath {}

  /** All subscriptions of a topic. */
  record Subscriptions(String topic) implements AdminPath {}

  /** One of them. */
  record Subscription(String topic, String name) implements AdminPath {
    String path() {
      return EntityNames.subscription(topic, name);
    }
  }

  /** All rules of a subscription. */
  record Rules(Subscription subscription) implements AdminPath {}

  /** One of them. */
  record Rule(Subscription subscription, String name) implements AdminPath {}

  /** All entities with all their messages; not of the vendor's API. */
  record Everything() implements AdminPath {}

  /** A part of an entity, such as its dead-letter queue, which has no description of its own. */
  record Part(String path) implements AdminPath {}

  /** None of these; nothing is there. */
  record Nothing() implements AdminPath {}

  /**
   * Reads a path, from the right: names of topics may hold slashes, those below them none.
   *
   * @param path decoded, with or without slashes around it
   */
  static AdminPath of(String path) {
    var name = trimmed(path);
    var key = EntityNames.key(name);
    switch (key) {
      case "", "$resources" -> {
        return new Nothing();
      }
      case "$namespaceinfo" -> {
        return new NamespaceInfo();
      }
      case "$resources/queues" -> {
        return new Queues();
      }
      case "$resources/topics" -> {
        return new Topics();
      }
      case "$peeklock/entities" -> {
        return new Everything();
      }
      default -> {}
    }
    if (key.indexOf("/$", 1) > 0 && !key.contains("/rules/$")) {
      return new Part(name);
    }
    var below = key.lastIndexOf("/subscriptions/");
    if (below > 0) {
      return ofSubscription(
          name.substring(0, below), name.substring(below + "/subscriptions/".length()));
    }
    if (key.endsWith("/subscriptions")) {
      return new Subscriptions(name.substring(0, name.length() - "/subscriptions".length()));
    }
    return new Entity(name);
  }

  /** Without slashes around it; a backslash means a slash. */
  static String trimmed(String path) {
    var name = path.replace('\\', '/');
    var start = 0;
    var end = name.length();
    while (start < end && name.charAt(start) == '/') {
      start++;
    }
    while (end > start && name.charAt(end - 1) == '/') {
      end--;
    }
    return name.substring(start, end);
  }

  private static AdminPath ofSubscription(String topic, String rest) {
    var parts = rest.split("/", -1);
    var subscription = new Subscription(topic, parts[0]);
    if (parts.length == 1) {
      return subscription;
    }
    if (!parts[1].equalsIgnoreCase("rules") || parts.length > 3) {
      return new Part(topic + "/Subscriptions/" + rest);
    }
    return parts.length == 2 ? new Rules(subscription) : new Rule(subscription, parts[2]);
  }

  /** What it is about, in errors and for who may ask. */
  static String shown(AdminPath target) {
    return switch (target) {
      case NamespaceInfo info -> "$namespaceinfo";
      case Queues queues -> "$Resources/Queues";
      case Topics topics -> "$Resources/Topics";
      case Everything everything -> "$peeklock/entities";
      case Entity entity -> entity.path();
      case Subscriptions all -> all.topic() + "/Subscriptions";
      case Subscription one -> one.path();
      case Rules all -> all.subscription().path() + "/Rules";
      case Rule one -> one.subscription().path() + "/Rules/" + one.name();
      case Part part -> part.path();
      case Nothing nothing -> "";
    };
  }
}

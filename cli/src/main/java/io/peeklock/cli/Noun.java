package io.peeklock.cli;

import java.util.List;
import java.util.Locale;

/**
 * What can be administered, and how the administration API calls it. The list of what can be set is
 * the client's own: it knows the wire alone, so a property that the broker learns is added here by
 * hand, or cannot be set with the commands.
 */
enum Noun {
  QUEUE(
      "QueueDescription",
      1,
      List.of(
          "LockDuration",
          "MaxSizeInMegabytes",
          "RequiresDuplicateDetection",
          "RequiresSession",
          "DefaultMessageTimeToLive",
          "DeadLetteringOnMessageExpiration",
          "DuplicateDetectionHistoryTimeWindow",
          "MaxDeliveryCount",
          "EnableBatchedOperations",
          "Status",
          "ForwardTo",
          "UserMetadata",
          "AutoDeleteOnIdle",
          "EnablePartitioning",
          "ForwardDeadLetteredMessagesTo",
          "EnableExpress",
          "MaxMessageSizeInKilobytes")),
  TOPIC(
      "TopicDescription",
      1,
      List.of(
          "DefaultMessageTimeToLive",
          "MaxSizeInMegabytes",
          "RequiresDuplicateDetection",
          "DuplicateDetectionHistoryTimeWindow",
          "EnableBatchedOperations",
          "FilteringMessagesBeforePublishing",
          "Status",
          "UserMetadata",
          "SupportOrdering",
          "AutoDeleteOnIdle",
          "EnablePartitioning",
          "EnableSubscriptionPartitioning",
          "EnableExpress",
          "MaxMessageSizeInKilobytes")),
  SUBSCRIPTION(
      "SubscriptionDescription",
      2,
      List.of(
          "LockDuration",
          "RequiresSession",
          "DefaultMessageTimeToLive",
          "DeadLetteringOnMessageExpiration",
          "DeadLetteringOnFilterEvaluationExceptions",
          "MaxDeliveryCount",
          "EnableBatchedOperations",
          "Status",
          "ForwardTo",
          "UserMetadata",
          "ForwardDeadLetteredMessagesTo",
          "AutoDeleteOnIdle")),
  RULE("RuleDescription", 3, List.of());

  private final String element;
  private final int parts;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> settable;

  Noun(String element, int parts, List<String> settable) {
    this.element = element;
    this.parts = parts;
    this.settable = settable;
  }

  /** How a person says it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The element that describes one. */
  String element() {
    return element;
  }

  /** The properties that can be set, in the order in which the API likes them. */
  List<String> settable() {
    return settable;
  }

  /**
   * The path of one.
   *
   * @param name as a person writes it: {@code QUEUE}, {@code TOPIC/SUBSCRIPTION}, {@code
   *     TOPIC/SUBSCRIPTION/RULE}, or the latter two with {@code Subscriptions} and {@code Rules} in
   *     between; the names of topics may hold slashes
   * @throws CliFailure when a part is missing
   */
  String path(String name) {
    if (parts == 1) {
      return name;
    }
    var last = name.lastIndexOf('/');
    if (last <= 0 || last == name.length() - 1) {
      throw CliFailure.usage("a " + word() + " is called " + form() + ", not \"" + name + "\"");
    }
    var own = name.substring(last + 1);
    return this == RULE
        ? SUBSCRIPTION.path(without("/Rules", name.substring(0, last))) + "/Rules/" + own
        : without("/Subscriptions", name.substring(0, last)) + "/Subscriptions/" + own;
  }

  /** The long form, as messages know a subscription, has a word between the names. */
  private static String without(String word, String above) {
    var end = above.length() - word.length();
    return above.regionMatches(true, Math.max(0, end), word, 0, word.length())
        ? above.substring(0, end)
        : above;
  }

  /**
   * The path of all of them.
   *
   * @param above the topic or subscription that they belong to; empty for queues and topics
   */
  String listPath(String above) {
    return switch (this) {
      case QUEUE -> "$Resources/Queues";
      case TOPIC -> "$Resources/Topics";
      case SUBSCRIPTION -> needed(above) + "/Subscriptions";
      case RULE -> SUBSCRIPTION.path(needed(above)) + "/Rules";
    };
  }

  private String needed(String above) {
    if (above.isEmpty()) {
      var whose = this == RULE ? "TOPIC/SUBSCRIPTION" : "TOPIC";
      throw CliFailure.usage("say whose " + word() + "s: " + word() + " list " + whose);
    }
    return above;
  }

  private String form() {
    return this == RULE ? "TOPIC/SUBSCRIPTION/RULE" : "TOPIC/SUBSCRIPTION";
  }
}

package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation.Rule;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.Properties.Status;
import io.peeklock.simulator.history.SentMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A queue, a topic, or a subscription. */
final class Entity {
  static final String SUBSCRIPTIONS = "/Subscriptions/";

  final String path;
  final boolean isTopic;
  Properties properties;

  /** Who has which sequence number of its log (S-140). */
  final NavigableMap<Long, Numbered> numbers = new TreeMap<>();

  final List<Rule> rules = new ArrayList<>();

  private final Map<String, Session> sessions = new TreeMap<>();

  final Duplicates ids = new Duplicates();

  Entity(String path, boolean isTopic, Properties properties) {
    this.path = path;
    this.isTopic = isTopic;
    this.properties = properties;
  }

  /**
   * Who was seen with a number.
   *
   * @param arrival its place among the arrivals; 0 where that is not certain
   */
  record Numbered(Copy copy, long arrival) {
    private boolean isBefore(@Nullable Numbered other) {
      return other == null || arrival == 0 || other.arrival == 0 || arrival <= other.arrival;
    }
  }

  /** Whether it may have this number: nobody else has, and numbers go up with arrivals (S-140). */
  boolean takesNumber(long number, Copy copy, long arrival) {
    var taken = new Numbered(copy, arrival);
    var lower = numbers.lowerEntry(number);
    var higher = numbers.higherEntry(number);
    var before = numbers.putIfAbsent(number, taken);
    return (before == null || before.copy == copy)
        && (lower == null || lower.getValue().isBefore(taken))
        && taken.isBefore(higher == null ? null : higher.getValue());
  }

  /** Whether a message is dropped as a duplicate; only queues and topics look (S-280). */
  Duplicates.Likelihood isDuplicate(SentMessage message, Moment when, boolean isCertain) {
    var window = isSubscription() ? 0 : properties.duplicateWindowMillis();
    return ids.take(message.messageId(), when, window, isCertain);
  }

  /**
   * The changed properties of each copy that a subscription takes (S-318 to S-320, S-323, S-326).
   */
  List<Map<String, Object>> takes(Map<String, Object> message) {
    var taken = new ArrayList<Map<String, Object>>();
    for (var rule : rules) {
      var sets = rule.setsColor();
      if (matches(rule, message) && sets != null) {
        taken.add(Map.of("color", sets, "RuleName", rule.name()));
      }
    }
    if (rules.stream().anyMatch(rule -> rule.setsColor() == null && matches(rule, message))) {
      taken.addFirst(Map.of());
    }
    return taken;
  }

  private static boolean matches(Rule rule, Map<String, Object> message) {
    return switch (rule.kind()) {
      case TRUE -> true;
      case FALSE -> false;
      case CORRELATION, SQL ->
          message.get("color") != null && message.get("color").equals(rule.color());
    };
  }

  /** The same as if it had just been made. */
  Entity emptied() {
    var next = new Entity(path, isTopic, properties);
    next.rules.addAll(rules);
    return next;
  }

  Session session(String id) {
    return sessions.computeIfAbsent(id, key -> new Session());
  }

  /** What the states of its sessions take of its quota at most. */
  long mostStateBytes() {
    return sessions.values().stream().mapToLong(Session::mostBytes).sum();
  }

  /** A restart ends their locks. */
  void freeSessions() {
    sessions.values().forEach(session -> session.holder = null);
  }

  /** Its own for what comes now; an entity that forwards has none (S-179). */
  static long timeToLive(Properties properties) {
    return properties.forwardTo() == null ? properties.timeToLiveMillis() : State.FOREVER;
  }

  /** Whether a path of it is read by sessions: its dead-letter queue is not (S-202). */
  boolean hasSessions(String of) {
    return properties.requiresSession() && of.equals(path);
  }

  /** The topic of a subscription; else itself. */
  String topic() {
    return isSubscription() ? path.substring(0, path.indexOf(SUBSCRIPTIONS)) : path;
  }

  boolean isSubscription() {
    return path.contains(SUBSCRIPTIONS);
  }

  boolean givesMessages() {
    return givesMessages(properties.status());
  }

  static boolean givesMessages(Status status) {
    return status == Status.ACTIVE || status == Status.SEND_DISABLED;
  }

  /** Whether it has these properties, as far as its kind has them. */
  boolean isAlike(Properties others) {
    return ofItsKind(properties).equals(ofItsKind(others));
  }

  private List<@Nullable Object> ofItsKind(Properties all) {
    var some = new ArrayList<@Nullable Object>(List.of(all.timeToLiveMillis(), all.status()));
    if (!isSubscription()) {
      some.addAll(List.of(all.duplicateWindowMillis(), all.maxBytes()));
    } else {
      some.add(all.deadLettersFilterFailures());
    }
    if (!isTopic) {
      some.addAll(
          Arrays.asList(
              all.lockMillis(),
              all.maxDeliveryCount(),
              all.deadLettersExpired(),
              all.requiresSession(),
              all.forwardTo(),
              all.forwardDeadLettersTo()));
    }
    return some;
  }
}

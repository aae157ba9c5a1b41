package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.Properties.Status;
import io.peeklock.simulator.history.SentMessage;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A queue, a topic, or a subscription. */
final class Entity {
  static final String SUBSCRIPTIONS = "/Subscriptions/";

  final String path;
  Properties properties;

  /** Who has which sequence number of its log (S-140). */
  final NavigableMap<Long, Numbered> numbers = new TreeMap<>();

  final Duplicates ids = new Duplicates();

  Entity(String path, Properties properties) {
    this.path = path;
    this.properties = properties;
  }

  /**
   * Who was seen with a number.
   *
   * @param arrival its place among the arrivals; 0 where that is not certain
   */
  record Numbered(Copy copy, long arrival) {
    private boolean isBefore(@Nullable Numbered other) {
      return other == null || arrival == 0 || other.arrival == 0 || arrival < other.arrival;
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

  boolean isSubscription() {
    return path.contains(SUBSCRIPTIONS);
  }

  boolean givesMessages() {
    return properties.status() == Status.ACTIVE || properties.status() == Status.SEND_DISABLED;
  }
}

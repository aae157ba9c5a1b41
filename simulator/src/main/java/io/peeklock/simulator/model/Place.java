package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation.Rule;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.Properties.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A queue, a topic, a subscription, or the dead-letter queue behind one. */
final class Place {
  static final String DEAD_LETTERS = "/$DeadLetterQueue";

  final String path;
  final Kind kind;

  /** The topic of a subscription, the entity before a dead-letter queue. */
  final @Nullable Place parent;

  final Map<String, Rule> rules = new LinkedHashMap<>();
  final List<Copy> copies = new ArrayList<>();
  final Ids ids = new Ids();
  final Map<String, Uncertain<Optional<String>>> states = new HashMap<>();

  /** No later decision here was taken before this time. */
  long floorMillis;

  final Numbers numbers;
  private Properties properties;

  /** What it is. */
  enum Kind {
    QUEUE,
    TOPIC,
    SUBSCRIPTION,
    DEAD_LETTERS
  }

  Place(String path, Kind kind, @Nullable Place parent, Properties properties) {
    this.path = path;
    this.kind = kind;
    this.parent = parent;
    this.properties = properties;
    this.numbers = kind == Kind.DEAD_LETTERS && parent != null ? parent.numbers : new Numbers();
  }

  /** A dead-letter queue has those of its parent (S-181). */
  Properties properties() {
    return kind == Kind.DEAD_LETTERS && parent != null ? parent.properties : properties;
  }

  void update(Properties to) {
    properties = to;
  }

  /** Only a dead-letter queue of it has none itself (S-202). */
  boolean sessions() {
    return (kind == Kind.QUEUE || kind == Kind.SUBSCRIPTION) && properties().requiresSession();
  }

  boolean mayBeSentTo() {
    Status status = properties().status();
    return status != Status.DISABLED && status != Status.SEND_DISABLED;
  }

  boolean mayBeReceivedFrom() {
    Status status = properties().status();
    return status != Status.DISABLED && status != Status.RECEIVE_DISABLED;
  }

  /** Where its messages go by themselves; null when they stay. */
  @Nullable String forwardsTo() {
    return switch (kind) {
      case DEAD_LETTERS -> properties().forwardDeadLettersTo();
      case TOPIC -> null;
      default -> properties().forwardTo();
    };
  }

  Uncertain<Optional<String>> state(String sessionId) {
    return states.computeIfAbsent(sessionId, id -> known(Optional.empty()));
  }

  private static <T> Uncertain<T> known(T value) {
    Uncertain<T> fact = new Uncertain<>();
    fact.become(List.of(Possible.of(value)));
    return fact;
  }

  /** The queue or topic to which a path belongs, the way paths are compared (S-060). */
  static String root(String path) {
    String lower = path.toLowerCase(Locale.ROOT);
    int end = lower.indexOf("/subscriptions/");
    if (end < 0) {
      end = lower.indexOf(DEAD_LETTERS.toLowerCase(Locale.ROOT));
    }
    return end < 0 ? lower : lower.substring(0, end);
  }
}

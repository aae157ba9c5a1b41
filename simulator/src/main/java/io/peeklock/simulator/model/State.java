package io.peeklock.simulator.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One state in which a copy of a message may be. It never changes; a change makes another one. */
final class State implements Cloneable {
  static final String DEAD_LETTERS = "/$DeadLetterQueue";
  static final String REASON = "DeadLetterReason";
  static final long FOREVER = Long.MAX_VALUE;
  private static final String GONE = "";

  /** What a copy is while it is stored (S-226). */
  enum Kind {
    /** Waits for its time (S-148). */
    SCHEDULED,
    /** On its way into a subscription (S-053). */
    COMING,
    ACTIVE,
    DEFERRED
  }

  /** Path of the queue, subscription, topic or dead-letter queue; empty when it is gone. */
  String place;

  Kind kind = Kind.ACTIVE;

  /** Sequence number; 0 while nobody was told of it. */
  long number;

  /** Its place among all arrivals, where that is certain; else 0. */
  long arrival;

  /** Failed attempts (R-02). */
  int count;

  @Nullable Lock lock;

  /** When it was enqueued, at the earliest and at the latest. */
  long enqueuedFrom;

  long enqueuedTo = FOREVER;

  /**
   * When a scheduled one becomes active; when one that comes was due in its topic, 0 for at once.
   */
  long due;

  /** The least of its own and its entity's (S-164, S-165). */
  long timeToLive = FOREVER;

  /** Of the application, as seen by receivers. */
  Map<String, Object> properties = Map.of();

  @Nullable String deadLetterSource;
  int hops;

  /** What did or did not happen if it is in this state. */
  Map<Doubt, Boolean> doubts = Map.of();

  private State(String place) {
    this.place = place;
  }

  static State in(String place) {
    return new State(place);
  }

  static State nowhere() {
    return new State(GONE);
  }

  /** It is no more. */
  State gone() {
    return nowhere().but(next -> next.doubts = doubts);
  }

  /** In which something happened, or not; null for nothing that is in doubt. */
  State where(@Nullable Doubt doubt, boolean happened) {
    if (doubt == null) {
      return this;
    }
    var all = new HashMap<>(doubts);
    all.put(doubt, happened);
    return but(next -> next.doubts = Map.copyOf(all));
  }

  /** The same but for something. */
  State but(Consumer<State> change) {
    try {
      var copy = (State) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The queue, topic or subscription that it is in, be it as a dead letter. */
  String entity() {
    return entity(place);
  }

  static String entity(String path) {
    return path.endsWith(DEAD_LETTERS)
        ? path.substring(0, path.length() - DEAD_LETTERS.length())
        : path;
  }

  static boolean isWithin(String path, String above) {
    return path.equals(above) || path.startsWith(above + "/");
  }

  boolean isGone() {
    return place.equals(GONE);
  }

  boolean isDead() {
    return place.endsWith(DEAD_LETTERS);
  }

  boolean isIn(String path) {
    return place.equals(path);
  }

  /** Whether a receiver may get it: active, and not locked. */
  boolean isAvailable() {
    return !isGone() && kind == Kind.ACTIVE && lock == null;
  }

  boolean isLockedBy(long id) {
    return lock != null && lock.id() == id;
  }

  /** Dead letters, deferred and scheduled ones never expire by themselves (S-174 to S-177). */
  boolean canExpire() {
    return timeToLive != FOREVER && !isGone() && !isDead() && kind != Kind.SCHEDULED;
  }

  boolean mayHaveExpired(Moment now) {
    return canExpire() && now.mayBeAfter(enqueuedFrom + timeToLive);
  }

  /** When it may expire, if it may not have by now. */
  long expiresAfter(Moment now) {
    return canExpire() && !mayHaveExpired(now) ? enqueuedFrom + timeToLive : FOREVER;
  }

  boolean hasExpired(Moment now) {
    return canExpire() && enqueuedTo != FOREVER && now.isSurelyAfter(enqueuedTo + timeToLive);
  }

  /** Its lock, where it is known to have one. */
  Lock held() {
    return Objects.requireNonNull(lock);
  }

  State scheduled(long dueAt) {
    return but(
        next -> {
          next.kind = Kind.SCHEDULED;
          next.due = dueAt;
        });
  }

  State locked(@Nullable Lock by) {
    return but(next -> next.lock = by);
  }

  /** With other application properties, some of them in place of its own (R-30). */
  State with(Map<String, Object> changed) {
    if (changed.isEmpty()) {
      return this;
    }
    var all = new TreeMap<>(properties);
    all.putAll(changed);
    return but(next -> next.properties = all);
  }

  State without(String property) {
    var left = new TreeMap<>(properties);
    left.remove(property);
    return but(next -> next.properties = left);
  }

  /** A dead letter of where it is: number, time and count stay (S-145, S-134). */
  State dead(@Nullable String reason) {
    var changed =
        reason == null ? Map.<String, Object>of() : Map.<String, Object>of(REASON, reason);
    return with(changed)
        .but(
            next -> {
              next.place = place + DEAD_LETTERS;
              next.kind = Kind.ACTIVE;
              next.lock = null;
            });
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof State state
        && place.equals(state.place)
        && kind == state.kind
        && number == state.number
        && arrival == state.arrival
        && count == state.count
        && hops == state.hops
        && hasTimesOf(state)
        && Objects.equals(lock, state.lock)
        && Objects.equals(deadLetterSource, state.deadLetterSource)
        && doubts.equals(state.doubts)
        && properties.equals(state.properties);
  }

  private boolean hasTimesOf(State state) {
    return due == state.due
        && enqueuedFrom == state.enqueuedFrom
        && enqueuedTo == state.enqueuedTo
        && timeToLive == state.timeToLive;
  }

  @Override
  public int hashCode() {
    return Objects.hash(place, kind, count);
  }

  @Override
  public String toString() {
    return isGone()
        ? "gone"
        : String.join(
            " ",
            kind + " in " + place + " #" + number + " count " + count + " " + lock,
            "enqueued " + enqueuedFrom + " to " + enqueuedTo + ", lives " + timeToLive,
            properties + " from " + deadLetterSource);
  }
}

package io.peeklock.simulator.model;

import io.peeklock.simulator.history.SentMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a message in one place. A message that moves on, or becomes active, is another copy
 * from then on. Ticks count what the model heard; they say in which order copies came.
 */
final class Copy extends Uncertain<Situation> {
  final Place place;
  final SentMessage sent;

  /** The copy it was made from; null when it was sent here. */
  final @Nullable Copy origin;

  /** It is in the dead-letter queue of the origin's place and keeps its number. */
  final boolean deadLetter;

  /** Its lifetimes that are possible: the smallest of the message's and the entities' (S-164). */
  final Set<Long> lifetimes = new TreeSet<>();

  /** Its ways on that were begun or may have been. */
  final List<Move> moves = new ArrayList<>();

  /** 0 as long as nobody saw it. */
  long number;

  long firstTick;
  long lastTick;
  long enqueuedFromMillis;
  long enqueuedToMillis;
  int fewestHops;
  int mostHops;
  @Nullable String source;

  /** It was locked once, so that it may have been overtaken. */
  boolean touched;

  Copy(Place place, SentMessage sent, @Nullable Copy origin, boolean deadLetter) {
    this.place = place;
    this.sent = sent;
    this.origin = origin;
    this.deadLetter = deadLetter;
  }

  /** A dead letter of this one: number, times and order stay (S-145). */
  Copy died(Place deadLetters) {
    Copy dead = new Copy(deadLetters, sent, this, true);
    dead.lifetimes.addAll(lifetimes);
    dead.number = number;
    dead.firstTick = firstTick;
    dead.lastTick = lastTick;
    dead.enqueuedFromMillis = enqueuedFromMillis;
    dead.enqueuedToMillis = enqueuedToMillis;
    dead.fewestHops = fewestHops;
    dead.mostHops = mostHops;
    dead.source = source;
    dead.touched = true;
    return dead;
  }

  /** Whether it stands before the other for certain: by number, else by arrival (S-140). */
  boolean before(Copy other) {
    boolean areNumbered = number != 0 && other.number != 0;
    return areNumbered ? number < other.number : cameBefore(other);
  }

  /** Whether it arrived before the other for certain. */
  boolean cameBefore(Copy other) {
    if (lastTick < other.firstTick) {
      return true;
    }
    Copy mine = origin;
    Copy theirs = other.origin;
    // What is forwarded keeps its order; one that was locked meanwhile may come later (S-291).
    return mine != null
        && theirs != null
        && mine.place == theirs.place
        && mine.place != place
        && mine.place.kind != Place.Kind.TOPIC
        && deadLetter == other.deadLetter
        && !mine.touched
        && !theirs.touched
        && mine.cameBefore(theirs);
  }

  long earliestExpiry() {
    return later(enqueuedFromMillis, lifetimes.iterator().next());
  }

  long latestExpiry() {
    return later(enqueuedToMillis, lifetimes.stream().mapToLong(Long::longValue).max().orElse(0));
  }

  /** A time so much later; the largest number is never (S-166). */
  static long later(long from, long by) {
    return from > Long.MAX_VALUE - by ? Long.MAX_VALUE : from + by;
  }

  /** It may be that it never comes: a duplicate at its destination, or no rule for it. */
  void loosen() {
    List<Possible<Situation>> more = new ArrayList<>(possible());
    for (Possible<Situation> each : possible()) {
      more.add(each.instead(Situation.GONE));
    }
    become(more);
  }

  boolean mayBeHere() {
    return !must(each -> each.kind() == Situation.Kind.AWAY);
  }
}

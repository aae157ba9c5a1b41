package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Properties.Status;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.model.State.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Messages that move on by themselves, active ones and dead letters (S-285 to S-298, S-197). */
final class Forwarding {
  private static final String TOO_FAR = "MaxTransferHopCountExceeded";
  private static final String FAILED = "ForwardingFailed";
  private static final String NO_SESSION = "Session id is null.";
  private static final int MOST_HOPS = 4;

  private final Map<String, Entity> entities;
  private final Unknown unknown;
  private final Set<Arrival> all = new HashSet<>();
  private final List<Arrival> arrived = new ArrayList<>();

  /** Whether an entity may have no room for a message. */
  private final BiPredicate<Entity, SentMessage> isFull;

  Forwarding(
      Map<String, Entity> entities, Unknown unknown, BiPredicate<Entity, SentMessage> isFull) {
    this.entities = entities;
    this.unknown = unknown;
    this.isFull = isFull;
  }

  /** A copy may have come to a topic, as what is in this state. */
  record Arrival(Copy copy, String topic, State state) {}

  /** Where a message in this state is to go; null for nowhere. */
  @Nullable String destination(State state) {
    var from =
        state.kind == Kind.ACTIVE && state.lock == null ? entities.get(state.entity()) : null;
    if (from == null || from.isTopic) {
      return null;
    }
    var isOver = TOO_FAR.equals(state.properties.get(State.REASON)); // S-201
    return state.isDead()
        ? isOver ? null : from.properties.forwardDeadLettersTo()
        : from.properties.forwardTo();
  }

  /** Whether it cannot stay where it is: a dead letter may wait for better days (S-200). */
  boolean mustMove(Copy copy, State state) {
    var path = destination(state);
    var to = path == null ? null : entities.get(path);
    var isFree =
        to != null && !unknown.has(to.path) && isOpen(to) && !to.properties.requiresSession();
    return path != null
        && (!state.isDead()
            || (to != null && isFree && !isFull.test(to, copy.sent) && state.hops < MOST_HOPS));
  }

  private static boolean isOpen(Entity to) {
    var status = to.properties.status();
    return status == Status.ACTIVE || status == Status.RECEIVE_DISABLED;
  }

  /** What becomes of it on its way: it arrives, or is a dead letter where it was (S-294). */
  Stream<State> moved(Copy copy, State state, Moment now) {
    var path = destination(state);
    var to = path == null ? null : entities.get(path);
    if (path == null) {
      return Stream.of();
    }
    if (unknown.has(path)) { // it may be there or not, and anything may happen
      var whys = state.isDead() ? Stream.<String>of() : Stream.of(FAILED, NO_SESSION, TOO_FAR);
      return Stream.concat(Stream.of(state.gone()), whys.map(state::dead));
    }
    var ends = new ArrayList<State>();
    var isTooFar = state.hops >= MOST_HOPS;
    if (to != null && isOpen(to) && (!isTooFar || state.isDead())) {
      arrive(copy, state, to, ends);
      // it may have come at any time since it was there, and may still be on its way
      var when = new Moment(state.enqueuedFrom, now.latest() + Duplicates.LATE_MILLIS);
      if (to.isDuplicate(copy.sent, when, false) != Duplicates.Likelihood.NO) {
        ends.add(state.gone()); // S-298
      }
    }
    if (!state.isDead()) {
      fails(copy, state, to, ends);
    }
    return ends.stream();
  }

  private void fails(Copy copy, State state, @Nullable Entity to, List<State> ends) {
    if (state.hops >= MOST_HOPS) {
      ends.add(state.dead(TOO_FAR)); // S-292, S-293
    } else if (to == null || !isOpen(to) || isFull.test(to, copy.sent)) {
      ends.add(state.dead(FAILED));
    }
  }

  /**
   * The sender's time to live begins again there (S-178, R-25). Where it was scheduled the broker
   * may take that of the entity, which it was given when it was sent.
   */
  private void arrive(Copy copy, State state, Entity to, List<State> ends) {
    var message = copy.sent;
    var landed =
        state.but(
            next -> {
              next.place = to.path;
              next.number = 0;
              next.arrival = 0;
              next.count = 0; // S-133
              next.enqueuedTo = State.FOREVER;
              next.hops = Math.min(state.hops, MOST_HOPS) + 1;
              next.timeToLive =
                  Math.min(message.timeToLiveMillis(), Entity.timeToLive(to.properties));
              next.deadLetterSource = state.isDead() ? state.entity() : state.deadLetterSource;
            });
    if (to.isTopic) {
      var arrival = new Arrival(copy, to.path, landed.but(next -> next.enqueuedFrom = 0));
      if (all.add(arrival)) {
        arrived.add(new Arrival(copy, to.path, landed));
      }
      ends.add(state.gone());
    } else if (to.properties.requiresSession() && message.sessionId() == null) {
      ends.add(landed.dead(NO_SESSION));
      if (state.isDead()) {
        ends.add(state);
      } else {
        ends.add(state.dead(FAILED));
        ends.add(state.dead(NO_SESSION));
      }
    } else {
      ends.add(landed);
      if (message.dueAtMillis() > 0) {
        ends.add(landed.but(next -> next.timeToLive = Math.min(state.timeToLive, next.timeToLive)));
      }
    }
  }

  /**
   * Whether messages may come back to an entity through topics, or as dead letters: there are too
   * many ways that they may have gone. A circle of queues is no such one.
   */
  boolean isTangled(String path) {
    var seen = new HashSet<String>();
    var isPlain = true;
    for (var left = new ArrayDeque<>(List.of(path)); !left.isEmpty(); ) {
      var entity = entities.get(left.pop());
      if (entity == null) {
        continue;
      }
      isPlain &= !entity.isTopic && entity.properties.forwardDeadLettersTo() == null;
      for (var next : next(entity)) {
        if (seen.add(next)) {
          left.push(next);
        }
      }
    }
    return seen.contains(path) && !isPlain;
  }

  private List<String> next(Entity entity) {
    return entity.isTopic
        ? entities.values().stream()
            .filter(each -> each.isSubscription() && each.topic().equals(entity.path))
            .map(each -> each.path)
            .toList()
        : Stream.of(entity.properties.forwardTo(), entity.properties.forwardDeadLettersTo())
            .filter(Objects::nonNull)
            .toList();
  }

  /** Takes what may have come to topics. */
  List<Arrival> take() {
    var taken = List.copyOf(arrived);
    arrived.clear();
    return taken;
  }

  /** All that was under way has come. */
  void rest() {
    all.clear();
  }
}

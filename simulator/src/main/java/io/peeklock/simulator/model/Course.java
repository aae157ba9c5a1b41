package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Properties.Status;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.model.State.Kind;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What becomes of messages by themselves, and at the end of a delivery. */
final class Course {
  private static final String TOO_MANY = "MaxDeliveryCountExceeded";

  private final Map<String, Entity> entities;

  /** Then locks lapse without being counted, against S-121: there is no room to write it. */
  boolean isDiskFull;

  final Forwarding forwarding;

  private final BooleanSupplier isMemoryShort;

  Course(
      Map<String, Entity> entities,
      Unknown unknown,
      BiPredicate<Entity, SentMessage> isFull,
      BooleanSupplier isMemoryShort) {
    this.entities = entities;
    this.isMemoryShort = isMemoryShort;
    forwarding = new Forwarding(entities, unknown, isFull);
  }

  /** Adds all states that a copy may have come to by now. */
  void advance(Copy copy, Moment now) {
    if (!now.mayBeAfter(copy.nextChange)) {
      return;
    }
    var next = Long.MAX_VALUE;
    for (var i = 0; i < copy.states().size(); i++) {
      var state = copy.states().get(i);
      var at = changesAt(state);
      if (now.mayBeAfter(at)) {
        changed(copy, state, now).forEach(copy::add);
      }
      // what waits to be forwarded may still expire
      next = Math.min(next, now.mayBeAfter(at) ? state.expiresAfter(now) : at);
    }
    copy.nextChange = next;
  }

  /** When a state may change by itself; never, for many. */
  private long changesAt(State state) {
    var lock = state.lock;
    if (lock != null) {
      return lock.transaction() == null ? lock.until() : Long.MAX_VALUE;
    }
    return switch (state.kind) {
      case COMING -> 0;
      case SCHEDULED -> state.due;
      case ACTIVE ->
          forwarding.destination(state) != null
              ? 0
              : state.canExpire() ? state.enqueuedFrom + state.timeToLive : Long.MAX_VALUE;
      case DEFERRED -> Long.MAX_VALUE;
    };
  }

  private Stream<State> changed(Copy copy, State state, Moment now) {
    if (state.lock != null) {
      // it may have been when the lock lapsed, and it may be now
      var when = new Moment(Math.min(now.earliest(), state.held().until()), now.latest());
      var counted = ended(state, true, when);
      return isDiskFull ? Stream.concat(counted, ended(state, false, now)) : counted;
    }
    return switch (state.kind) {
      case COMING -> Stream.of(state.but(next -> next.kind = Kind.ACTIVE));
      case SCHEDULED -> Stream.of(isTopic(state.place) ? state.gone() : activated(state));
      case ACTIVE ->
          Stream.concat(
              forwarding.moved(copy, state, now),
              state.mayHaveExpired(now) ? Stream.of(expired(state)) : Stream.of());
      case DEFERRED -> Stream.empty();
    };
  }

  private boolean isTopic(String path) {
    var entity = entities.get(path);
    return entity != null && entity.isTopic;
  }

  private @Nullable Entity topicOf(State state) {
    var entity = entities.get(state.entity());
    return entity == null ? null : entities.get(entity.topic());
  }

  /** Whether it must have become active; a disabled topic keeps what is due (S-158). */
  boolean isDue(@Nullable Entity entity, long due, Moment now) {
    return now.whenDue().isSurelyAfter(due)
        && (entity == null || !entity.isTopic || entity.properties.status() == Status.ACTIVE);
  }

  /** S-151: with a number and a time of its own. */
  private static State activated(State state) {
    return state.but(
        next -> {
          next.kind = Kind.ACTIVE;
          next.number = 0;
          next.arrival = 0;
          next.enqueuedFrom = state.due;
          next.enqueuedTo = State.FOREVER;
        });
  }

  /** S-168. */
  State expired(State state) {
    var entity = entities.get(state.entity());
    return entity != null && entity.properties.deadLettersExpired()
        ? state.dead("TTLExpiredException")
        : state.gone();
  }

  /** Whether something would have happened to it by now that cannot be put off. */
  boolean isOverdue(Copy copy, State state, Moment now) {
    var lock = state.lock;
    if (lock != null) {
      return lock.hasLapsed(now.whenDue());
    }
    return switch (state.kind) {
      case COMING -> // copies that rules change wait for memory
          isDue(topicOf(state), state.due, now) && !isMemoryShort.getAsBoolean();
      case SCHEDULED -> isDue(topicOf(state), state.due, now);
      case ACTIVE ->
          !isDiskFull && forwarding.mustMove(copy, state) && !isMemoryShort.getAsBoolean();
      case DEFERRED -> false;
    };
  }

  // ---- ends of deliveries

  /** An end of a delivery that leaves the message here, counted or not. */
  Stream<State> ended(State locked, boolean isCounted, Moment now) {
    var state = locked.locked(null);
    if (isCounted && !state.isDead()) {
      state = state.but(next -> next.count++);
      if (isTooMany(state)) {
        return Stream.of(state.dead(TOO_MANY));
      }
    }
    if (state.hasExpired(now)) {
      return Stream.of(expired(state)); // R-29; a deferred one goes back otherwise (S-212)
    }
    return state.mayHaveExpired(now) ? Stream.of(state, expired(state)) : Stream.of(state);
  }

  /** Deferred (S-206, S-123, S-124). */
  Stream<State> deferred(State locked) {
    var state =
        locked.but(
            next -> {
              next.lock = null;
              next.kind = Kind.DEFERRED;
              next.count += locked.isDead() ? 0 : 1;
            });
    return isTooMany(state) ? Stream.of(state.dead(TOO_MANY)) : Stream.of(state);
  }

  /** S-126, R-28; not in a dead-letter queue (S-186). */
  private boolean isTooMany(State state) {
    var entity = entities.get(state.entity());
    return !state.isDead() && entity != null && state.count >= entity.properties.maxDeliveryCount();
  }
}

package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ends of locks, and longer ones. */
final class Settling {
  private final Contents contents;

  Settling(Contents contents) {
    this.contents = contents;
  }

  /** Nobody is told whether it was done; with a transaction, if so. */
  void perhaps(Operation.Settle settle, Moment now, @Nullable Doubt doubt) {
    for (var lock : settle.lockIds()) {
      var copy = contents.holderOf(lock);
      if (copy != null) {
        if (doubt != null) {
          doubt.on(copy);
        }
        copy.become(
            state ->
                Stream.concat(
                    Stream.of(state.where(doubt, false)),
                    isHeld(settle.path(), lock).test(state)
                        ? settled(state, settle, now).map(each -> each.where(doubt, true))
                        : Stream.of()));
      }
    }
  }

  void answered(Operation.Settle settle, Answer answer, Moment now) {
    answered(settle, answer, now, (state, lock) -> settled(state, settle, now));
  }

  /** Settled once its transaction is committed, and by nobody else before (S-383). */
  void enlisted(Operation.SettleIn in, Answer answer, Moment now) {
    answered(
        in.settle(),
        answer,
        now,
        (state, lock) ->
            Stream.of(state.locked(new Lock(lock, state.held().until(), in.transaction()))));
  }

  private void answered(
      Operation.Settle settle,
      Answer answer,
      Moment now,
      BiFunction<State, Long, Stream<State>> change) {
    for (var i = 0; i < settle.lockIds().size(); i++) {
      var lock = settle.lockIds().get(i);
      var copy = contents.holderOf(lock);
      var why = answer.refusal(i);
      if (copy == null || contents.judged(settle.path()) == null) {
        continue;
      }
      if (why == null) {
        keepValid(copy, settle.path(), lock, now);
        checkHolder(settle, copy);
        copy.become(state -> change.apply(state, lock));
      } else if (why.equals("MessageLockLost") && isJudged(settle, copy, now)) {
        keepInvalid(copy, settle.path(), lock, now);
      }
    }
  }

  void committed(Operation.Settle settle, String transaction, Moment now) {
    for (var lock : settle.lockIds()) {
      var copy = contents.holderOf(lock);
      if (copy != null) {
        copy.keep(
            "S-379",
            "it was settled in " + transaction + ", and is not locked by it",
            state -> state.lock != null && transaction.equals(state.lock.transaction()));
        copy.become(state -> settled(state, settle, now));
      }
    }
  }

  /** S-111: who names a holder must name that of the message's session. */
  private void checkHolder(Operation.Settle settle, Copy copy) {
    var entity = contents.judged(settle.path());
    var session = copy.sent.sessionId();
    var receiver = settle.receiver();
    if (entity != null
        && entity.hasSessions(settle.path())
        && session != null
        && receiver != null) {
      var holds = receiver.equals(entity.session(session).holder);
      contents.verdicts.demand("S-111", holds, receiver, " does not hold the session of ", copy);
    }
  }

  /** Below a session's lock only its holder may settle (S-111). */
  private boolean isJudged(Operation.Settle settle, Copy copy, Moment now) {
    var entity = contents.judged(settle.path());
    var session = copy.sent.sessionId();
    return entity != null
        && (!entity.hasSessions(settle.path())
            || (session != null && entity.session(session).isSurelyHeldBy(settle.receiver(), now)));
  }

  private static Predicate<State> isHeld(String path, long lock) {
    return state -> state.isIn(path) && state.isLockedBy(lock);
  }

  /** S-098: what is answered as done was done with a lock that ran. */
  private void keepValid(Copy copy, String path, long lock, Moment now) {
    Predicate<State> isFree = state -> state.held().transaction() == null;
    keepRunning(copy, isHeld(path, lock).and(isFree), lock, now);
  }

  private static void keepRunning(Copy copy, Predicate<State> fits, long lock, Moment now) {
    copy.keep(
        "S-098",
        "lock " + lock + " is over, and was taken",
        fits.and(state -> !state.held().hasLapsed(now)));
  }

  /** S-030, S-037: a lock that runs is good. */
  private void keepInvalid(Copy copy, String path, long lock, Moment now) {
    copy.keep(
        "S-030",
        "lock " + lock + " runs, and was refused",
        state ->
            !isHeld(path, lock).test(state)
                || state.held().transaction() != null
                || state.held().mayHaveLapsed(now));
  }

  /** What a settlement makes of a message that the lock is on. */
  private Stream<State> settled(State locked, Operation.Settle settle, Moment now) {
    var state =
        settle.settlement() == Operation.Settlement.RELEASE
            ? locked
            : locked.with(settle.changed());
    return switch (settle.settlement()) {
      case COMPLETE -> Stream.of(state.gone());
      case ABANDON -> contents.course.ended(state, true, now);
      case RELEASE -> contents.course.ended(state, false, now);
      case DEFER -> contents.course.deferred(state);
      case DEAD_LETTER ->
          state.isDead() ? Stream.of() : deadLettered(state, settle.reason()); // S-185
    };
  }

  /** Whether a reason from another entity stays where there is no new one, nobody says (S-189). */
  private static Stream<State> deadLettered(State state, @Nullable String reason) {
    var dead = state.dead(reason);
    return reason == null ? Stream.of(dead, dead.without(State.REASON)) : Stream.of(dead);
  }

  /** S-105, S-107. */
  void renewed(Operation.Renew renew, Answer answer, Moment from, Moment now) {
    var entity = contents.judged(renew.path());
    for (var lock : renew.lockIds()) {
      var copy = contents.holderOf(lock);
      if (copy == null || entity == null || entity.hasSessions(renew.path())) {
        continue; // S-245
      }
      if (answer instanceof Answer.LockedUntil lasting) {
        keepRunning(copy, isHeld(renew.path(), lock), lock, now); // also for a transaction
        if (copy.surely(state -> state.held().until() != lasting.millis())) {
          contents.checkLock(lasting.millis(), entity, from, now);
        }
        copy.become(
            state ->
                Stream.of(
                    state.locked(new Lock(lock, lasting.millis(), state.held().transaction()))));
      } else if (renew.lockIds().size() == 1
          && answer instanceof Answer.Refused refused
          && refused.why().equals("MessageLockLost")) {
        keepInvalid(copy, renew.path(), lock, now);
      }
    }
  }
}

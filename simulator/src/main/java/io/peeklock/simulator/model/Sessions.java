package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Locks and states of sessions. */
final class Sessions {
  private final Contents contents;

  Sessions(Contents contents) {
    this.contents = contents;
  }

  private void demand(String rule, boolean holds, @Nullable Object... what) {
    contents.verdicts.demand(rule, holds, what);
  }

  /** S-236 to S-243. */
  void accepted(Operation.AcceptSession accept, Answer answer, Moment from, Moment now) {
    var entity = contents.judged(accept.path());
    if (entity == null || !(answer instanceof Answer.SessionAccepted accepted)) {
      return;
    }
    var id = accepted.sessionId();
    var session = entity.session(id);
    var isAsked = accept.sessionId() == null || accept.sessionId().equals(id);
    demand("S-236", isAsked, "not the session that was asked for: ", answer);
    demand("S-237", !session.isSurelyHeld(now), id, " is held by ", session.holder);
    Predicate<State> isThere = state -> state.isIn(accept.path()) && state.isAvailable();
    letGo(accept.path(), id, now);
    if (accept.sessionId() == null) {
      var isOffered = contents.possibly(isThere).anyMatch(copy -> id.equals(copy.sent.sessionId()));
      demand("S-238", isOffered, id, " has nothing to be received, and was offered");
    }
    contents.checkLock(accepted.lockedUntilMillis(), entity, from, now);
    session.holder = accept.receiver();
    session.lockedUntil = accepted.lockedUntilMillis();
    session.isClosing = false;
    contents.receivers.put(
        accept.receiver(), new Receiver(accept.receiver(), accept.path(), accept.mode(), id));
  }

  private static boolean isBelow(State state, String path) {
    return state.isIn(path) && state.lock != null && state.lock.transaction() == null;
  }

  /** What its holder had is free by now, counted or not. */
  private void letGo(String path, String id, Moment now) {
    release(path, id, now);
    freeEnlisted(path, id, now);
    for (var copy : contents.live()) {
      if (id.equals(copy.sent.sessionId()) && copy.possibly(state -> isBelow(state, path))) {
        copy.keep("S-248", "still locked", state -> !isBelow(state, path));
      }
    }
  }

  /** What its holder has may be free by now, uncounted (S-129). */
  private void release(String path, String id, Moment now) {
    for (var copy : contents.live()) {
      if (id.equals(copy.sent.sessionId())) {
        copy.mayBecome(
            state -> isBelow(state, path) ? contents.course.ended(state, false, now) : Stream.of());
      }
    }
  }

  /** S-248, S-130; at the end of its lock what was delivered counts (S-128). */
  void over(Receiver receiver, boolean isByLock, Moment now) {
    var entity = contents.judged(receiver.path);
    var id = receiver.session;
    if (entity == null || id == null) {
      return;
    }
    var session = entity.session(id);
    if (receiver.name.equals(session.holder)) {
      var isLost = isByLock && session.isSurelyHeld(now);
      demand("S-250", !isLost, id, " is lost before ", session.lockedUntil);
      session.isClosing = true;
    }
    if (!isByLock) {
      release(receiver.path, id, now);
    }
    freeEnlisted(receiver.path, id, now);
  }

  /** Nothing is said of what waits with a transaction when its session is lost: it may be free. */
  private void freeEnlisted(String path, String id, Moment now) {
    for (var copy : contents.live()) {
      if (id.equals(copy.sent.sessionId())) {
        copy.mayBecome(
            state ->
                state.isIn(path) && state.lock != null && state.lock.transaction() != null
                    ? Stream.concat(
                        contents.course.ended(state, true, now),
                        contents.course.ended(state, false, now))
                    : Stream.of());
      }
    }
  }

  /** S-244, S-245. */
  void renewed(Operation.RenewSession renew, Answer answer, Moment from, Moment now) {
    var entity = contents.judged(renew.path());
    if (entity == null) {
      return;
    }
    var session = entity.session(renew.sessionId());
    checkHolder(session, renew.receiver(), answer, now);
    if (answer instanceof Answer.LockedUntil locked) {
      if (locked.millis() != session.lockedUntil) { // it is not made shorter by an update
        contents.checkLock(locked.millis(), entity, from, now);
      }
      session.lockedUntil = locked.millis();
      for (var copy : contents.live()) {
        if (renew.sessionId().equals(copy.sent.sessionId())) {
          copy.become(state -> Stream.of(extended(state, renew.path(), locked.millis())));
        }
      }
    }
  }

  private static State extended(State state, String path, long until) {
    return isBelow(state, path) ? state.locked(new Lock(state.held().id(), until, null)) : state;
  }

  /** S-251, S-258: its holder may, and nobody else. */
  private void checkHolder(Session session, String receiver, Answer answer, Moment now) {
    if (!(answer instanceof Answer.Refused)) {
      demand(
          "S-258", receiver.equals(session.holder), receiver, ", where ", session.holder, " holds");
    } else if (answer.equals(new Answer.Refused("SessionLockLost"))) {
      var isHolder = session.isSurelyHeldBy(receiver, now);
      demand("S-251", !isHolder, receiver, " holds the session, and is refused");
    }
  }

  /** S-255, S-256. */
  void read(Operation.GetState get, Answer answer, Moment now) {
    var entity = contents.judged(get.path());
    if (entity == null) {
      return;
    }
    var session = entity.session(get.sessionId());
    checkHolder(session, get.receiver(), answer, now);
    if (answer instanceof Answer.State state) {
      demand("S-256", session.states.contains(state.state()), state, ", not ", session.states);
      session.become(state.state());
    }
  }

  void set(Operation.SetState set, Answer answer, Moment now) {
    var entity = contents.judged(set.path());
    if (entity != null) {
      var session = entity.session(set.sessionId());
      checkHolder(session, set.receiver(), answer, now);
      if (answer instanceof Answer.Done) {
        session.become(set.state());
      }
    }
  }

  /** In a transaction that is committed (S-525). */
  void committed(Operation.SetState set) {
    var entity = contents.judged(set.path());
    if (entity != null) {
      entity.session(set.sessionId()).become(set.state());
    }
  }

  void perhaps(Operation.SetState set) {
    var entity = contents.judged(set.path());
    if (entity != null) {
      entity.session(set.sessionId()).states.add(set.state());
    }
  }
}

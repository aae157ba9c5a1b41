package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Mode;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.model.State.Kind;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Messages as clients are told of them: delivered, listed, or counted. */
final class Sight {
  private final Contents contents;

  /** Where all is being listed, page by page, while nothing else is asked: the next number. */
  private final Map<String, Long> walks = new HashMap<>();

  private long lastOther;

  Sight(Contents contents) {
    this.contents = contents;
  }

  /** What was delivered before what was there to be delivered. */
  private final Map<Copy, Copy> passedBy = new LinkedHashMap<>();

  /** What must hold of a state that is seen, in the order in which it is looked at. */
  private record Check(String rule, String what, Predicate<State> holds) {}

  // ---- delivered

  void delivered(Receiver receiver, SeenMessage seen, Moment now) {
    var entity = contents.judged(receiver.path);
    if (entity == null) {
      return;
    }
    var path = receiver.path;
    var copy =
        find(
            seen,
            Stream.concat(
                    Stream.of(
                        new Check("S-003", "is not there", state -> state.isIn(path)),
                        new Check("S-148", "waits", state -> state.kind != Kind.SCHEDULED),
                        new Check("S-206", "is deferred", state -> state.kind != Kind.DEFERRED),
                        new Check("S-024", "is locked", State::isAvailable),
                        new Check("S-167", "is expired", state -> !state.hasExpired(now))),
                    alike(seen, now))
                .toList());
    demand("S-261", receiver.isFor(copy.sent), "not of its session: ", seen);
    number(entity, seen, copy);
    inOrder(copy, receiver, seen.sequenceNumber());
    taken(entity, path, receiver.mode, seen, copy, now);
  }

  /** S-207 to S-214: by number. */
  void received(Operation.ReceiveDeferred receive, Answer answer, Moment now) {
    var entity = contents.judged(receive.path());
    if (entity == null) {
      return;
    }
    if (answer instanceof Answer.Messages some) {
      for (var i = 0; i < some.messages().size(); i++) {
        var seen = some.messages().get(i);
        var asked = receive.sequenceNumbers().get(i);
        demand("S-210", seen.sequenceNumber() == asked, "not what was asked for: ", seen);
        var copy =
            find(
                seen,
                Stream.concat(
                        Stream.of(
                            new Check("S-003", "is not there", state -> state.isIn(receive.path())),
                            new Check(
                                "S-211", "not deferred", state -> state.kind == Kind.DEFERRED),
                            new Check("S-214", "is locked", state -> state.lock == null),
                            new Check("S-175", "is expired", state -> !state.hasExpired(now))),
                        alike(seen, now))
                    .toList());
        number(entity, seen, copy);
        taken(entity, receive.path(), receive.mode(), seen, copy, now);
      }
    } else {
      perhaps(receive, now, answer.equals(new Answer.Refused("Unreadable")));
      if (receive.sequenceNumbers().size() == 1
          && contents.asked.values().stream().noneMatch(each -> isAlike(each, receive))
          && ByNumber.isNotFound(answer)
          && !entity.hasSessions(receive.path())) { // S-216
        keepHidden(receive.path(), receive.sequenceNumbers().getFirst(), now);
      }
    }
  }

  /** Whether it may have what the other one asks for, and is not told yet. */
  private static boolean isAlike(Operation other, Operation.ReceiveDeferred receive) {
    return other instanceof Operation.ReceiveDeferred && other.path().equals(receive.path());
  }

  /** What was not found is not deferred, or locked, or expired (S-175). */
  private void keepHidden(String path, long number, Moment now) {
    contents
        .possibly(state -> state.isIn(path) && state.number == number)
        .forEach(
            copy ->
                copy.keep(
                    "S-207",
                    "#" + number + " was not found, and is deferred",
                    state ->
                        state.kind != Kind.DEFERRED
                            || state.number != number
                            || !state.isIn(path)
                            || state.lock != null
                            || state.mayHaveExpired(now)));
  }

  /** Nobody is told what came of it; if it had expired, it is gone from there (S-175). */
  void perhaps(Operation.ReceiveDeferred receive, Moment now, boolean mayBeTaken) {
    for (var number : receive.sequenceNumbers()) {
      contents
          .possibly(state -> state.isIn(receive.path()) && state.number == number)
          .forEach(
              copy ->
                  copy.mayBecome(
                      state -> perhapsReceived(receive, number, state, now, mayBeTaken)));
    }
  }

  private Stream<State> perhapsReceived(
      Operation.ReceiveDeferred receive, long number, State state, Moment now, boolean mayBeTaken) {
    if (state.kind != Kind.DEFERRED || state.number != number || state.lock != null) {
      return Stream.of();
    }
    Stream<State> taken =
        mayBeTaken ? Stream.of(hidden(receive.path(), receive.mode(), state, now)) : Stream.of();
    return state.mayHaveExpired(now)
        ? Stream.concat(Stream.of(contents.course.expired(state)), taken)
        : taken;
  }

  /** As it is when it was taken, and nobody was told. */
  private State hidden(String path, Mode mode, State state, Moment now) {
    var entity = contents.judged(path);
    return mode == Mode.RECEIVE_AND_DELETE || entity == null
        ? state.gone()
        : state.locked(new Lock(0, now.earliest() + entity.properties.lockMillis(), null));
  }

  /** On its way to a receiver it was lost: it is locked, given back, or gone (S-022). */
  void undelivered(Receiver receiver, Moment now) {
    contents
        .possibly(state -> state.isIn(receiver.path) && state.isAvailable())
        .forEach(
            copy ->
                copy.mayBecome(
                    state ->
                        state.isIn(receiver.path) && state.isAvailable()
                            ? Stream.of(hidden(receiver.path, receiver.mode, state, now))
                            : Stream.of()));
  }

  /** Locked from now on, or gone. */
  private void taken(
      Entity entity, String path, Mode mode, SeenMessage seen, Copy copy, Moment now) {
    if (mode == Mode.RECEIVE_AND_DELETE) {
      copy.become(state -> Stream.of(state.gone()));
      return;
    }
    if (!entity.hasSessions(path)) {
      contents.checkLock(seen.lockedUntilMillis(), entity, now, now);
    }
    demand("S-024", contents.isNew(seen.lockId(), copy), "a lock that there was: ", seen);
    var session = copy.sent.sessionId();
    var until =
        entity.hasSessions(path) && session != null
            ? entity.session(session).lockedUntil // S-245
            : seen.lockedUntilMillis();
    var lock = new Lock(seen.lockId(), until, null);
    copy.become(state -> Stream.of(noted(state, seen).locked(lock)));
  }

  /**
   * S-135, S-137: nothing that is surely available comes before it; though other receivers may be
   * told at the same time of what they took before.
   */
  private void inOrder(Copy copy, Receiver receiver, long number) {
    var arrival = copy.states().getFirst().arrival;
    for (var other : contents.live()) {
      if (other != copy
          && receiver.isFor(other.sent)
          && other.surely(state -> isBefore(state, number, arrival))
          && other.surely(state -> state.isIn(receiver.path) && state.isAvailable())) {
        passedBy.put(other, copy);
      }
    }
  }

  /** All deliveries of one time are told. */
  void confirmOrder() {
    passedBy.forEach(
        (copy, later) -> {
          var isLeft = copy.surely(State::isAvailable);
          demand("S-135", !isLeft, later, " was delivered before ", copy);
        });
    passedBy.clear();
  }

  private static boolean isBefore(State state, long number, long arrival) {
    return state.number > 0 ? state.number < number : state.arrival > 0 && state.arrival < arrival;
  }

  // ---- any sight

  private void demand(String rule, boolean holds, Object... what) {
    contents.verdicts.demand(rule, holds, what);
  }

  private Copy find(SeenMessage seen, List<Check> checks) {
    var copies = contents.copies(seen.tag());
    demand("S-072", !copies.isEmpty(), "nobody sent ", seen);
    Check failed = checks.getFirst();
    for (var copy : copies) {
      var left = copy.states();
      for (var check : checks) {
        left = left.stream().filter(check.holds).toList();
        if (left.isEmpty()) {
          failed = check;
          break;
        }
      }
      if (!left.isEmpty()) {
        copy.keep(left);
        checks.forEach(check -> demand(check.rule, true));
        return copy;
      }
    }
    demand(failed.rule, false, failed.what, ": ", seen, ", where ", copies);
    throw new AssertionError();
  }

  private Stream<Check> alike(SeenMessage seen, Moment now) {
    var number = seen.sequenceNumber();
    var at = seen.enqueuedAtMillis();
    return Stream.of(
        new Check("S-145", "number", state -> state.number == 0 || state.number == number),
        new Check("S-120", "count", state -> state.count == seen.deliveryCount()),
        new Check("S-082", "properties", state -> state.properties.equals(seen.properties())),
        new Check(
            "S-144",
            "enqueued",
            state ->
                state.kind == Kind.SCHEDULED
                    || (state.enqueuedFrom <= at
                        && at <= Math.min(state.enqueuedTo, now.latest()))),
        new Check(
            "S-162",
            "expiry",
            state -> state.kind == Kind.SCHEDULED || seen.expiresAtMillis() == expiry(state, at)),
        new Check(
            "S-198",
            "source",
            state -> Objects.equals(state.deadLetterSource, seen.deadLetterSource())));
  }

  private static long expiry(State state, long enqueuedAt) {
    return state.timeToLive == State.FOREVER ? State.FOREVER : enqueuedAt + state.timeToLive;
  }

  private static State noted(State state, SeenMessage seen) {
    return state.but(
        next -> {
          next.number = seen.sequenceNumber();
          if (state.kind != Kind.SCHEDULED) {
            next.enqueuedFrom = seen.enqueuedAtMillis();
            next.enqueuedTo = seen.enqueuedAtMillis();
            next.timeToLive =
                seen.expiresAtMillis() == State.FOREVER
                    ? State.FOREVER
                    : seen.expiresAtMillis() - seen.enqueuedAtMillis();
          }
        });
  }

  /** S-140, S-041, S-076. */
  private void number(Entity entity, SeenMessage seen, Copy copy) {
    var first = copy.states().getFirst();
    var arrival = copy.surely(state -> state.arrival == first.arrival) ? first.arrival : 0;
    var isInOrder = entity.takesNumber(seen.sequenceNumber(), copy, arrival);
    demand("S-140", isInOrder, "a number twice, or not in order: ", seen);
    var isSame =
        Objects.equals(seen.messageId(), copy.sent.messageId())
            && Objects.equals(seen.sessionId(), copy.sent.sessionId());
    demand("S-041", isSame, "other ids: ", seen, ", sent as ", copy.sent);
  }

  // ---- listed

  /** S-218 to S-222. */
  void peeked(long id, Operation.Peek peek, Answer answer, Moment now) {
    var entity = contents.judged(peek.path());
    if (entity == null || !(answer instanceof Answer.Messages some)) {
      return;
    }
    var messages = some.messages();
    var last = peek.fromSequenceNumber() - 1;
    for (var seen : messages) {
      demand("S-222", seen.sequenceNumber() > last, "#", seen.sequenceNumber(), " after ", last);
      leftOut(peek, last + 1, seen.sequenceNumber() - 1);
      last = seen.sequenceNumber();
      listed(entity, peek.path(), seen, now);
    }
    walked(id, peek, last, messages.isEmpty());
  }

  /** S-221, S-224: an empty page is the last one. */
  private void walked(long id, Operation.Peek peek, long last, boolean isEnd) {
    var path = peek.path();
    var isWalk =
        id > lastOther
            && peek.sessionId() == null
            && peek.fromSequenceNumber() <= walks.getOrDefault(path, 1L);
    if (isEnd) {
      leftOut(peek, last + 1, Long.MAX_VALUE);
    }
    if (isEnd && isWalk) {
      for (var copy : contents.live()) {
        copy.keep(
            "S-224",
            "not listed in all of " + path,
            state -> !(state.isIn(path) && state.number == 0 && state.kind != Kind.COMING));
      }
    }
    if (isWalk && !isEnd) {
      walks.put(path, last + 1);
    }
  }

  /** Something else is asked. */
  void breakWalks(long id) {
    lastOther = id;
    walks.clear();
  }

  private void listed(Entity entity, String path, SeenMessage seen, Moment now) {
    var kind = Kind.valueOf(seen.state().name());
    var copy =
        find(
            seen,
            Stream.concat(
                    Stream.of(
                        new Check("S-219", "is not there", state -> state.isIn(path)),
                        new Check("S-226", "is otherwise", state -> state.kind == kind)),
                    alike(seen, now))
                .toList());
    number(entity, seen, copy);
    copy.become(state -> Stream.of(noted(state, seen)));
  }

  /** What surely is there with a number in between would have been listed. */
  private void leftOut(Operation.Peek peek, long from, long to) {
    Predicate<State> between =
        state -> state.isIn(peek.path()) && Math.max(1, from) <= state.number && state.number <= to;
    for (var copy : contents.live()) {
      var isMeant = peek.sessionId() == null || peek.sessionId().equals(copy.sent.sessionId());
      if (isMeant && copy.possibly(between)) {
        copy.keep("S-222", "not listed from " + from + " to " + to, between.negate());
      }
    }
  }

  // ---- counted

  /** S-489 to S-492. */
  void counted(String path, Answer answer) {
    var entity = contents.judged(path);
    if (entity == null || !(answer instanceof Answer.Counted counts)) {
      return;
    }
    var dead = entity.path + State.DEAD_LETTERS;
    check(
        "active",
        counts.active(),
        state ->
            state.isIn(entity.path) && (state.kind == Kind.ACTIVE || state.kind == Kind.DEFERRED));
    check(
        "scheduled",
        counts.scheduled(),
        state -> state.isIn(entity.path) && state.kind == Kind.SCHEDULED);
    check(
        "dead letters",
        counts.deadLetters(),
        state -> state.isIn(dead) && state.kind != Kind.COMING);
  }

  private void check(String what, long count, Predicate<State> isCounted) {
    var least = contents.surely(isCounted).count();
    var most = contents.possibly(isCounted).count();
    var fits = least <= count && count <= most;
    demand("S-492", fits, count, " ", what, ", where there are ", least, " to ", most);
  }
}

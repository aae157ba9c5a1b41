package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Mode;
import io.peeklock.simulator.history.Properties.Status;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Peeks and deferred messages by number. */
final class Reading implements Clerk {
  private final World world;
  private final Sight sight;
  private final Receiving receiving;
  private final Course course;
  private final Moves moves;

  Reading(World world, Sight sight, Receiving receiving, Course course, Moves moves) {
    this.world = world;
    this.sight = sight;
    this.receiving = receiving;
    this.course = course;
    this.moves = moves;
  }

  @Override
  public boolean answered(Asked asked, Answer answer, long now) {
    switch (asked.operation()) {
      case Operation.Peek peek -> peek(peek, answer, now);
      case Operation.ReceiveDeferred receive -> receive(receive, asked, answer, now);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void peek(Operation.Peek peek, Answer answer, long now) {
    Place place = world.find(peek.path());
    Expect expect = new Expect("S-218").may("AnswerTooLarge");
    if (place == null) {
      expect.must("S-062", "EntityNotFound");
    } else if (place.properties().status() == Status.DISABLED) {
      expect.may("EntityDisabled");
    }
    if (!expect.done(answer) || place == null || !(answer instanceof Answer.Messages told)) {
      return;
    }
    if (told.messages().size() > peek.most()) {
      throw new Violation("S-223", "a peek shows more than was asked for");
    }
    long last = peek.fromSequenceNumber() - 1;
    List<Copy> seen = new ArrayList<>();
    for (SeenMessage message : told.messages()) {
      inTurn(peek, message, last);
      last = message.sequenceNumber();
      if (!world.untracked.contains(message.tag())) {
        seen.add(sight.recognise(place, message, Sight.View.PEEK, now));
      }
    }
    notSeen(peek, place, seen, told.messages().isEmpty() ? Long.MAX_VALUE : last, now);
  }

  private static void inTurn(Operation.Peek peek, SeenMessage message, long last) {
    if (message.sequenceNumber() <= last) {
      throw new Violation("S-222", "a peek is not in order at " + message.sequenceNumber());
    }
    if (peek.sessionId() != null && !peek.sessionId().equals(message.sessionId())) {
      throw new Violation("S-227", "a peek shows another session");
    }
  }

  /** S-219 to S-222: what a peek did not show, though its turn had come, is not there. */
  private static void notSeen(
      Operation.Peek peek, Place place, List<Copy> seen, long last, long now) {
    for (Copy copy : List.copyOf(place.copies)) {
      boolean other = peek.sessionId() != null && !peek.sessionId().equals(copy.sent.sessionId());
      // S-173: what is expired may be listed, or not.
      if (seen.contains(copy) || other || copy.earliestExpiry() <= now || peek.most() < 1) {
        continue;
      }
      if (wasPassed(copy, peek.fromSequenceNumber(), seen, last)) {
        copy.narrow(
            s -> !s.here() && s.kind() != Situation.Kind.SCHEDULED,
            "S-222",
            "a peek left out " + copy.sent.tag());
      }
    }
  }

  /** Whether a peek from this number on went by a copy's place, whose number may not be known. */
  private static boolean wasPassed(Copy copy, long from, List<Copy> seen, long last) {
    return copy.number == 0
        ? from <= 1 && (last == Long.MAX_VALUE || seen.stream().anyMatch(copy::before))
        : copy.number >= from && copy.number <= last;
  }

  /** S-207 to S-216. */
  private void receive(Operation.ReceiveDeferred receive, Asked asked, Answer answer, long now) {
    Place place = world.find(receive.path());
    if (place == null) {
      new Expect("S-207").must("S-062", "EntityNotFound").done(answer);
      return;
    }
    Expect expect = expect(receive, place, asked, now);
    if (expect.done(answer) && answer instanceof Answer.Messages told) {
      taken(receive, place, told.messages(), now);
    } else if (answer instanceof Answer.Refused refused
        && refused.why().equals("MessageNotFound")) {
      touched(receive, place, now);
    }
  }

  private Expect expect(Operation.ReceiveDeferred receive, Place place, Asked asked, long now) {
    Expect expect = new Expect("S-207").may("AnswerTooLarge", "TooManyLocked");
    boolean dead = place.kind == Place.Kind.DEAD_LETTERS;
    if (place.kind == Place.Kind.TOPIC) {
      expect.wrongKind("S-052").may("MessageNotFound");
    }
    boolean stopped = !place.mayBeReceivedFrom();
    expect.mustWhen(stopped && !dead, stopped, "S-423", "EntityDisabled");
    if (place.forwardsTo() != null) {
      expect.may("MessagesAreForwarded");
    }
    if (dead && place.parent != null && place.parent.sessions()) {
      expect.may("SessionLockLost"); // S-203
    }
    if (receive.sequenceNumbers().stream().distinct().count() < receive.sequenceNumbers().size()) {
      expect.may("MessageNotFound");
    }
    List<@Nullable Copy> copies = new ArrayList<>();
    for (long each : receive.sequenceNumbers()) {
      copies.add(deferred(place, each));
    }
    if (place.sessions()) {
      expectSession(expect, world.holding(receive.receiver(), place), copies, asked, now);
    }
    boolean never = copies.stream().anyMatch(copy -> copy == null);
    boolean surely =
        copies.stream()
            .allMatch(
                copy -> copy != null && copy.must(Reading::isFree) && copy.earliestExpiry() > now);
    return expect.mustWhen(never, !surely, "S-208", "MessageNotFound");
  }

  /** S-216: the session lock is needed, of the session whose messages they are. */
  private static void expectSession(
      Expect expect,
      @Nullable Receiver holder,
      List<@Nullable Copy> copies,
      Asked asked,
      long now) {
    boolean lost = holder == null || holder.sessionUntil < asked.atMillis();
    boolean mayBeLost = lost || holder == null || holder.sessionUntil <= now;
    expect.mustWhen(lost, mayBeLost, "S-216", "SessionLockLost");
    for (Copy copy : copies) {
      if (copy != null && holder != null && !holder.wants(copy)) {
        expect.must("S-216", "SessionLockLost", "MessageNotFound");
      }
    }
  }

  private static boolean isFree(Situation s) {
    return s.here() && s.deferred() && s.lockId() == 0;
  }

  private static @Nullable Copy deferred(Place place, long number) {
    return place.copies.stream()
        .filter(copy -> copy.number == number && copy.may(Reading::isFree))
        .findFirst()
        .orElse(null);
  }

  private void taken(
      Operation.ReceiveDeferred receive, Place place, List<SeenMessage> told, long now) {
    List<Long> numbers = told.stream().map(SeenMessage::sequenceNumber).toList();
    if (!numbers.equals(receive.sequenceNumbers())) {
      throw new Violation("S-210", "other deferred messages, or in another order");
    }
    String holder = place.sessions() ? receive.receiver() : null;
    for (SeenMessage seen : told) {
      Copy copy = sight.recognise(place, seen, Sight.View.BY_NUMBER, now);
      receiving.take(copy, seen, receive.mode(), holder, now);
    }
  }

  /** S-175: an expired one is moved when it is asked for. */
  private void touched(Operation.ReceiveDeferred receive, Place place, long now) {
    for (long number : receive.sequenceNumbers()) {
      Copy copy = deferred(place, number);
      boolean dead = place.kind == Place.Kind.DEAD_LETTERS;
      if (copy != null && copy.earliestExpiry() <= now && !dead) {
        moves.apply(
            copy,
            each -> isFree(each) ? List.of(course.expiry(copy, each)) : List.of(),
            true,
            null);
      }
    }
  }

  @Override
  public void inDoubt(Asked asked, long now) {
    boolean consumes =
        asked.operation() instanceof Operation.ReceiveDeferred receive
            && receive.mode() == Mode.RECEIVE_AND_DELETE;
    Place place = world.find(Paths.of(asked.operation(), world));
    if (consumes && place != null) {
      Operation.ReceiveDeferred receive = (Operation.ReceiveDeferred) asked.operation();
      Doubt doubt = new Doubt("S-207", "deferred messages were consumed in part");
      for (long number : receive.sequenceNumbers()) {
        Copy copy = deferred(place, number);
        if (copy != null) {
          moves.apply(
              copy, each -> isFree(each) ? List.of(new Outcome.Drop()) : List.of(), false, doubt);
        }
      }
    }
  }
}

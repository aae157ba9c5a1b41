package io.peeklock.simulator.model;

import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Finds the copy that a client sees, and learns from what is seen. */
final class Sight {
  private final World world;

  Sight(World world) {
    this.world = world;
  }

  /** How a message is seen. */
  enum View {
    DELIVERY,
    BY_NUMBER,
    PEEK
  }

  private record Check(String rule, String sentence, BiPredicate<Copy, Situation> holds) {}

  /** What is to hold, in the order in which it is asked. */
  private static final class Checks extends ArrayList<Check> {
    private static final long serialVersionUID = 1L;

    void is(String rule, String sentence, BiPredicate<Copy, Situation> holds) {
      add(new Check(rule, sentence, holds));
    }
  }

  /** The copy that is seen; it breaks a rule when there is none like that. */
  Copy recognise(Place place, SeenMessage seen, View view, long now) {
    Checks checks = new Checks();
    standing(checks, view, seen);
    content(checks, seen);
    if (seen.state() != SeenMessage.State.SCHEDULED) {
      times(checks, place, seen, view, now);
    }
    Copy best = null;
    int most = -1;
    for (Copy copy : List.copyOf(place.copies)) {
      int passed = copy.sent.tag().equals(seen.tag()) ? passed(checks, copy) : -1;
      boolean numbered = copy.number == seen.sequenceNumber();
      if (passed > most || (passed == most && passed >= 0 && numbered)) {
        best = copy;
        most = passed;
      }
    }
    if (best == null || most == 0) {
      throw world.unknown(seen.tag());
    }
    if (most < checks.size()) {
      Check failed = checks.get(most);
      throw new Violation(failed.rule(), seen.tag() + " in " + place.path + failed.sentence());
    }
    learn(best, checks, seen);
    return best;
  }

  private static int passed(Checks checks, Copy copy) {
    int most = 0;
    for (Possible<Situation> each : copy.possible()) {
      int passed = 0;
      while (passed < checks.size() && checks.get(passed).holds().test(copy, each.value())) {
        passed++;
      }
      most = Math.max(most, passed);
    }
    return most;
  }

  private static void standing(Checks checks, View view, SeenMessage seen) {
    checks.is(
        "S-003", " is not here", (copy, s) -> s.here() || s.kind() == Situation.Kind.SCHEDULED);
    if (view == View.PEEK) {
      checks.is("S-226", " has another state", (copy, s) -> state(s) == seen.state());
      checks.is("S-225", " shows a lock to a peek", (copy, s) -> seen.lockId() == 0);
      return;
    }
    checks.is("S-148", " is only scheduled", (copy, s) -> s.here());
    checks.is("S-024", " is locked by another", (copy, s) -> s.lockId() == 0);
    if (view == View.DELIVERY) {
      checks.is("S-206", " is deferred", (copy, s) -> !s.deferred());
    } else {
      checks.is("S-211", " is not deferred", (copy, s) -> s.deferred());
    }
  }

  private static SeenMessage.State state(Situation s) {
    if (s.kind() == Situation.Kind.SCHEDULED) {
      return SeenMessage.State.SCHEDULED;
    }
    return s.deferred() ? SeenMessage.State.DEFERRED : SeenMessage.State.ACTIVE;
  }

  private static void content(Checks checks, SeenMessage seen) {
    String id = seen.messageId();
    String session = seen.sessionId();
    long number = seen.sequenceNumber();
    int count = seen.deliveryCount();
    String source = seen.deadLetterSource();
    checks.is("S-041", " has the id " + id, (copy, s) -> same(copy.sent.messageId(), id));
    checks.is("S-079", " is of " + session, (copy, s) -> same(copy.sent.sessionId(), session));
    checks.is(
        "S-145",
        " has the number " + number,
        (copy, s) -> copy.number == 0 || copy.number == number);
    checks.is("S-120", " has the delivery count " + count, (copy, s) -> s.count() == count);
    checks.is("S-082", " shows " + seen.properties(), (copy, s) -> s.shows(seen.properties()));
    checks.is("S-198", " died in " + source, (copy, s) -> samePath(copy.source, source));
  }

  private static boolean same(@Nullable String one, @Nullable String other) {
    return Objects.equals(one, other);
  }

  private static boolean samePath(@Nullable String one, @Nullable String other) {
    return one == null ? other == null : one.equalsIgnoreCase(other);
  }

  private static void times(Checks checks, Place place, SeenMessage seen, View view, long now) {
    long came = seen.enqueuedAtMillis();
    checks.is(
        "S-144",
        " was enqueued at " + came,
        (copy, s) ->
            came >= copy.enqueuedFromMillis && came <= Math.min(copy.enqueuedToMillis, now));
    if (place.kind == Place.Kind.DEAD_LETTERS) {
      return;
    }
    checks.is(
        "S-162",
        " expires at " + seen.expiresAtMillis(),
        (copy, s) -> copy.lifetimes.stream().anyMatch(life -> expires(seen, life)));
    if (view != View.PEEK) {
      // never, though it may still be stored.
      String rule = view == View.DELIVERY ? "S-167" : "S-175";
      checks.is(rule, " is expired", (copy, s) -> seen.expiresAtMillis() >= place.floorMillis);
    }
  }

  private static boolean expires(SeenMessage seen, long lifetime) {
    return Copy.later(seen.enqueuedAtMillis(), lifetime) == seen.expiresAtMillis();
  }

  private void learn(Copy copy, Checks checks, SeenMessage seen) {
    copy.narrow(
        each -> checks.stream().allMatch(check -> check.holds().test(copy, each)),
        "S-003",
        seen.tag() + " is not here");
    copy.lastTick = Math.min(copy.lastTick, world.nextTick());
    if (seen.state() != SeenMessage.State.SCHEDULED) {
      copy.enqueuedFromMillis = seen.enqueuedAtMillis();
      copy.enqueuedToMillis = seen.enqueuedAtMillis();
      if (copy.place.kind != Place.Kind.DEAD_LETTERS) {
        copy.lifetimes.removeIf(life -> !expires(seen, life));
      }
    }
    copy.place.numbers.learn(copy, seen.sequenceNumber());
    forwardedInOrder(copy);
  }

  /** S-291: what stood before it where it came from has left, too. */
  private static void forwardedInOrder(Copy copy) {
    Copy from = copy.origin;
    if (from == null || copy.deadLetter || from.touched || from.place == copy.place) {
      return;
    }
    for (Copy other : List.copyOf(from.place.copies)) {
      boolean waits = other != from && !other.touched && other.cameBefore(from);
      if (waits && from.place.kind == Place.Kind.QUEUE) {
        other.narrow(
            each -> !each.available(), "S-291", other.sent.tag() + " was overtaken by a forward");
      }
    }
  }
}

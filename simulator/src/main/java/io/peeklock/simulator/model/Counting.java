package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Violation;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** What administration counts, and batch delete. */
final class Counting implements Clerk {
  private final World world;

  Counting(World world) {
    this.world = world;
  }

  @Override
  public boolean answered(Asked asked, Answer answer, long now) {
    switch (asked.operation()) {
      case Operation.Count count -> count(count, answer);
      case Operation.DeleteMessages delete -> delete(delete, answer);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** S-489 to S-492: deferred and locked ones are active, too. */
  private void count(Operation.Count count, Answer answer) {
    Place place = world.find(count.path());
    Expect expect = new Expect("S-489");
    if (place != null && place.kind == Place.Kind.DEAD_LETTERS) {
      return; // S-181: it is not managed apart from its parent.
    }
    if (place == null) {
      expect.must("S-062", "EntityNotFound").done(answer);
      return;
    }
    if (!expect.done(answer) || !(answer instanceof Answer.Counted told)) {
      return;
    }
    between("S-489 scheduled", place, told.scheduled(), s -> isScheduled(s));
    if (place.kind == Place.Kind.TOPIC) {
      if (told.active() != 0) {
        throw new Violation("S-490", "a topic counts active messages");
      }
      return;
    }
    entity(place, told);
  }

  private void entity(Place place, Answer.Counted told) {
    Place dead = world.find(place.path + Place.DEAD_LETTERS);
    boolean forwards = place.forwardsTo() != null || (dead != null && dead.forwardsTo() != null);
    if (told.transferDeadLetters() != 0 || (!forwards && told.transfer() != 0)) {
      throw new Violation("S-306", "transfers are counted where there are none");
    }
    between("S-492 active", place, told.active() + told.transfer(), Situation::here);
    if (dead != null && dead.forwardsTo() == null) {
      between("S-489 dead letters", dead, told.deadLetters(), Situation::here);
    }
  }

  private static boolean isScheduled(Situation s) {
    return s.kind() == Situation.Kind.SCHEDULED;
  }

  private static void between(String what, Place place, long told, Predicate<Situation> counts) {
    long least = place.copies.stream().filter(copy -> copy.must(counts)).count();
    long most = place.copies.stream().filter(copy -> copy.may(counts)).count();
    if (told < least || told > most) {
      throw new Violation(
          what.substring(0, 5),
          place.path + " counts " + told + what.substring(5) + ", not " + least + " to " + most);
    }
  }

  /** S-411 to S-415: the oldest, not locked, best effort. */
  private void delete(Operation.DeleteMessages delete, Answer answer) {
    Place place = world.find(delete.path());
    Expect expect =
        new Expect("S-411")
            .may("MessagesAreForwarded", "EntityDisabled", "FeatureNotAvailable")
            .may("SessionIdMissing", "SessionLockLost");
    if (place == null) {
      expect.must("S-062", "EntityNotFound");
    }
    if (!expect.done(answer) || place == null || !(answer instanceof Answer.Deleted told)) {
      return;
    }
    List<Copy> ones =
        place.copies.stream()
            .filter(copy -> mayBeDeleted(copy, delete))
            .sorted(Comparator.comparingLong((Copy copy) -> copy.firstTick))
            .toList();
    int count = told.count();
    if (count > delete.most() || count > ones.size()) {
      throw new Violation("S-411", count + " messages deleted, there were " + ones.size());
    }
    boolean clear = count == ones.size() || isClear(ones, delete);
    for (Copy copy : clear ? ones.subList(0, count) : ones) {
      if (clear) {
        copy.narrow(Situation::available, "S-414", copy.sent.tag() + " was deleted");
        copy.change(each -> Situation.GONE);
      } else if (ones.stream().filter(each -> surelyFirst(each, copy, delete)).count() < count) {
        copy.loosen();
      }
    }
  }

  private static boolean mayBeDeleted(Copy copy, Operation.DeleteMessages delete) {
    boolean other = delete.sessionId() != null && !delete.sessionId().equals(copy.sent.sessionId());
    return !other
        && copy.may(Situation::available)
        && copy.enqueuedFromMillis <= delete.enqueuedBeforeMillis();
  }

  /** One that would have been deleted before the other for certain. */
  private boolean surelyFirst(Copy one, Copy other, Operation.DeleteMessages delete) {
    return one != other && one.before(other) && isClear(List.of(one), delete);
  }

  /** Which ones are the oldest is known for certain. */
  private boolean isClear(List<Copy> ones, Operation.DeleteMessages delete) {
    for (int index = 0; index < ones.size(); index++) {
      Copy copy = ones.get(index);
      String session = copy.sent.sessionId();
      boolean held =
          copy.place.sessions() && session != null && world.holder(copy.place, session) != null;
      boolean ordered = index == 0 || ones.get(index - 1).before(copy);
      boolean sure = copy.must(Situation::available) && !held && ordered;
      if (!sure || copy.enqueuedToMillis >= delete.enqueuedBeforeMillis()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void inDoubt(Asked asked, long now) {
    if (asked.operation() instanceof Operation.DeleteMessages delete) {
      Place place = world.find(delete.path());
      if (place != null) {
        place.copies.stream().filter(copy -> mayBeDeleted(copy, delete)).forEach(Copy::loosen);
      }
    }
  }
}

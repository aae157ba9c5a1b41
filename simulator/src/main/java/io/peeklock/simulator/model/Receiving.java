package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Mode;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receivers, their credit, and what is delivered to them. */
final class Receiving implements Clerk {
  private final World world;
  private final Sight sight;
  private final Sessions sessions;

  Receiving(World world, Sight sight, Sessions sessions) {
    this.world = world;
    this.sight = sight;
    this.sessions = sessions;
  }

  @Override
  public boolean answered(Asked asked, Answer answer, long now) {
    switch (asked.operation()) {
      case Operation.OpenReceiver open -> open(open, answer);
      case Operation.Credit credit -> credit(credit, answer);
      case Operation.Drain drain -> {
        Receiver receiver = world.receivers.get(drain.receiver());
        if (receiver != null && answer instanceof Answer.Done) {
          receiver.drains = receiver.sureCredit > 0;
        }
      }
      case Operation.CloseReceiver close -> {
        Receiver receiver = world.receivers.get(close.receiver());
        if (receiver != null && !receiver.ended && answer instanceof Answer.Done) {
          // S-113, S-129, S-248: message locks stay, a session is free and nothing counts.
          sessions.end(receiver, false);
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void open(Operation.OpenReceiver open, Answer answer) {
    Place place = world.find(open.path());
    Expect expect = expectAttach(place);
    if (place != null && place.sessions()) {
      expect.wrongKind("S-233");
    }
    if (expect.done(answer) && place != null) {
      world.add(new Receiver(open.receiver(), place, open.mode(), null));
    }
  }

  /** What any receiver needs of a place. */
  static Expect expectAttach(@Nullable Place place) {
    Expect expect = new Expect("S-020").may("QuotaExceeded", "TooManyLocked");
    if (place == null) {
      return expect.must("S-062", "EntityNotFound");
    }
    if (place.kind == Place.Kind.TOPIC) {
      expect.wrongKind("S-052");
    }
    boolean dead = place.kind == Place.Kind.DEAD_LETTERS;
    if (place.forwardsTo() != null) {
      expect.must(dead ? "S-199" : "S-289", "MessagesAreForwarded");
    }
    boolean stopped = !place.mayBeReceivedFrom();
    return expect.mustWhen(stopped && !dead, stopped, "S-423", "EntityDisabled");
  }

  private void credit(Operation.Credit credit, Answer answer) {
    Receiver receiver = world.receivers.get(credit.receiver());
    if (receiver == null || receiver.ended) {
      return;
    }
    receiver.pendingCredit -= credit.more();
    if (new Expect("S-086").may("TooManyLocked", "QuotaExceeded").done(answer)) {
      receiver.sureCredit += credit.more();
    } else {
      receiver.mostCredit -= credit.more();
    }
  }

  void delivered(String name, List<SeenMessage> messages, long now) {
    Receiver receiver = world.receivers.get(name);
    if (receiver == null) {
      messages.forEach(each -> world.untrackedLocks.add(each.lockId()));
      if (world.vague.isEmpty()) {
        throw new Violation("S-086", "a delivery to " + name + ", which is not open");
      }
      return;
    }
    if (receiver.ended) {
      throw new Violation("S-086", "a delivery to " + name + ", which has ended");
    }
    Place place = receiver.place;
    if (!place.mayBeReceivedFrom() && place.kind != Place.Kind.DEAD_LETTERS) {
      throw new Violation("S-423", place.path + " delivers though its status forbids it");
    }
    for (SeenMessage seen : messages) {
      if (receiver.mostCredit <= 0) {
        throw new Violation("S-087", name + " got more than its credit");
      }
      receiver.mostCredit--;
      receiver.sureCredit = Math.max(0, receiver.sureCredit - 1);
      if (world.untracked.contains(seen.tag())) {
        world.untrackedLocks.add(seen.lockId());
      } else {
        deliver(receiver, seen, now);
      }
    }
  }

  private void deliver(Receiver receiver, SeenMessage seen, long now) {
    if (receiver.sessionId != null && !receiver.sessionId.equals(seen.sessionId())) {
      throw new Violation("S-261", seen.tag() + " is of another session than " + receiver.name);
    }
    Copy copy = sight.recognise(receiver.place, seen, Sight.View.DELIVERY, now);
    String rule = receiver.sessionId == null ? "S-135" : "S-246";
    for (Copy other : List.copyOf(receiver.place.copies)) {
      if (other != copy && receiver.wants(other) && other.before(copy)) {
        other.narrow(
            each -> !each.available() && each.kind() != Situation.Kind.COMING,
            rule,
            seen.tag() + " came before " + other.sent.tag() + ", which was available");
      }
    }
    boolean inSession = receiver.sessionId != null;
    take(copy, seen, receiver.mode, inSession ? receiver.name : null, now);
  }

  /** It is locked from now on, or gone (S-021, S-024). */
  void take(Copy copy, SeenMessage seen, Mode mode, @Nullable String holder, long now) {
    if (mode == Mode.RECEIVE_AND_DELETE) {
      copy.change(each -> Situation.GONE);
      return;
    }
    long id = seen.lockId();
    if (id == 0 || world.locks.putIfAbsent(id, copy) != null) {
      throw new Violation("S-024", seen.tag() + " has no lock of its own");
    }
    if (holder == null) {
      long taken = seen.lockedUntilMillis() - copy.place.properties().lockMillis();
      if (taken > now || taken < Math.max(copy.place.floorMillis, copy.enqueuedFromMillis)) {
        throw new Violation("S-025", seen.tag() + " is not locked for the LockDuration");
      }
    }
    copy.touched = true;
    copy.change(each -> each.locked(id, seen.lockedUntilMillis(), holder));
  }

  /** S-087: what was there has been sent before. */
  void drained(String name) {
    Receiver receiver = world.receivers.get(name);
    if (receiver == null || receiver.ended) {
      return;
    }
    if (receiver.sureCredit > 0) {
      nothingLeft(receiver, "S-087");
    }
    receiver.drains = false;
    receiver.sureCredit = 0;
    receiver.mostCredit = receiver.pendingCredit;
  }

  /** A receiver with credit has got what was there for certain. */
  static void nothingLeft(Receiver receiver, String rule) {
    for (Copy copy : receiver.place.copies) {
      if (receiver.wants(copy) && copy.must(Situation::available)) {
        throw new Violation(rule, receiver.name + " has credit and did not get " + copy.sent.tag());
      }
    }
  }

  void ended(String name, String why, long now) {
    Receiver receiver = world.receivers.get(name);
    if (receiver == null || receiver.ended) {
      return;
    }
    boolean lapsed = why.equals("SessionLockLost");
    if (lapsed && (receiver.sessionId == null || receiver.sessionUntil > now)) {
      throw new Violation("S-243", name + " lost its session before the lock ended");
    }
    Place place = receiver.place;
    boolean changing = world.isChanging(place.path);
    if (why.equals("EntityDisabled") && place.mayBeReceivedFrom() && !changing) {
      throw new Violation("S-427", name + " was ended, though " + place.path + " is enabled");
    }
    if (why.equals("EntityNotFound") && world.find(place.path) == place && !changing) {
      throw new Violation("S-071", name + " was ended, though " + place.path + " exists");
    }
    sessions.end(receiver, lapsed);
  }
}

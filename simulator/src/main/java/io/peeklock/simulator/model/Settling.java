package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Settle;
import io.peeklock.simulator.history.Operation.Settlement;
import io.peeklock.simulator.history.Properties.Status;
import io.peeklock.simulator.history.Violation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ends and renews message locks. */
final class Settling implements Clerk {
  private final World world;
  private final Course course;
  private final Moves moves;

  Settling(World world, Course course, Moves moves) {
    this.world = world;
    this.course = course;
    this.moves = moves;
  }

  @Override
  public boolean answered(Asked asked, Answer answer, long now) {
    switch (asked.operation()) {
      case Settle settle -> {
        if (world.audits(settle)) {
          List<Expect> expects =
              settle.lockIds().stream().map(id -> expect(settle, id, asked, now)).toList();
          for (int index : Each.done(expects, answer)) {
            long id = settle.lockIds().get(index);
            narrow(settle, id, asked);
            settle(settle, id, null);
          }
        }
      }
      case Operation.Renew renew -> renew(renew, asked, answer, now);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** what a settlement by this lock may be answered. */
  Expect expect(Settle settle, long id, Asked asked, long now) {
    Expect expect = new Expect("S-030");
    Place place = world.find(settle.path());
    if (place == null) {
      return expect.must("S-062", "EntityNotFound", "MessageLockLost", "SessionLockLost");
    }
    if (settle.settlement() == Settlement.DEAD_LETTER && place.kind == Place.Kind.DEAD_LETTERS) {
      expect.must("S-185", "AlreadyDeadLettered");
    }
    if (place.properties().status() == Status.DISABLED) {
      expect.may("EntityDisabled");
    }
    if (place.sessions()) {
      Receiver holder = world.holding(settle.receiver(), place);
      if (holder == null || holder.sessionUntil < asked.atMillis()) {
        return expect.must("S-251", "SessionLockLost");
      }
      // S-252: so is a lock of a session that was accepted again since.
      if (holder.sessionUntil <= now || !surely(settle, id, now)) {
        expect.may("SessionLockLost");
      }
    }
    boolean never = !possible(settle, id, asked.atMillis());
    return expect.mustWhen(never, !surely(settle, id, now), "S-098", "MessageLockLost");
  }

  private boolean possible(Settle settle, long id, long from) {
    Copy copy = world.locks.get(id);
    return copy != null
        && copy.place == world.find(settle.path())
        && copy.may(each -> valid(each, settle, id, from));
  }

  /** The lock still lasts at this time for certain. */
  boolean surely(Settle settle, long id, long now) {
    Copy copy = world.locks.get(id);
    return copy != null && copy.must(each -> valid(each, settle, id, now + 1));
  }

  /** The same, unless the doubtful settlement happened already. */
  boolean surelyUnless(Settle settle, long id, long now, Doubt doubt) {
    Copy copy = world.locks.get(id);
    return copy != null
        && copy.possible().stream()
            .filter(each -> !Boolean.TRUE.equals(each.given().get(doubt)))
            .allMatch(each -> valid(each.value(), settle, id, now + 1));
  }

  private boolean valid(Situation s, Settle settle, long id, long from) {
    if (!s.here() || s.lockId() != id || s.reserved() != null) {
      return false;
    }
    if (s.holder() == null) {
      return s.until() >= from;
    }
    Receiver holder = world.receivers.get(s.holder());
    boolean own = s.holder().equals(settle.receiver());
    return own && holder != null && !holder.ended && holder.sessionUntil >= from;
  }

  /** The lock was there. */
  void narrow(Settle settle, long id, Asked asked) {
    Copy copy = world.locks.get(id);
    if (copy != null) {
      copy.narrow(
          each -> valid(each, settle, id, asked.atMillis()),
          "S-098",
          copy.sent.tag() + " was settled without its lock");
    }
  }

  /** Carries out a settlement where the lock still is; if the doubt is true. */
  void settle(Settle settle, long id, @Nullable Doubt doubt) {
    Copy copy = world.locks.get(id);
    if (copy != null) {
      moves.apply(
          copy,
          each -> each.lockId() == id ? List.of(effect(copy, each, settle)) : List.of(),
          false,
          doubt);
    }
  }

  private Outcome effect(Copy copy, Situation s, Settle settle) {
    Situation changed = s.merged(settle.changed());
    return switch (settle.settlement()) {
      case COMPLETE -> new Outcome.Drop();
      case RELEASE -> course.ended(copy, s, false);
      case ABANDON -> course.ended(copy, changed, true);
      case DEFER -> course.ended(copy, changed.withDeferred(), true);
      case DEAD_LETTER -> course.deadLetter(copy.place, changed, settle.reason());
    };
  }

  @Override
  public void inDoubt(Asked asked, long now) {
    if (asked.operation() instanceof Settle settle) {
      for (long id : settle.lockIds()) {
        if (!expect(settle, id, asked, now).surelyRefused()) {
          settle(settle, id, new Doubt("S-031", "a settlement in doubt"));
        }
      }
    }
  }

  /** S-105 to S-107: all or none. */
  private void renew(Operation.Renew renew, Asked asked, Answer answer, long now) {
    Settle same =
        new Settle(renew.path(), Settlement.RELEASE, renew.lockIds(), Map.of(), null, true, null);
    Place place = world.find(renew.path());
    boolean inSession = place != null && place.sessions();
    if (!world.audits(same) || inSession) {
      return;
    }
    List<Expect> expects =
        renew.lockIds().stream().map(id -> expect(same, id, asked, now)).toList();
    if (Each.done(expects, answer).isEmpty() || place == null) {
      return;
    }
    long until = answer instanceof Answer.LockedUntil told ? told.millis() : 0;
    long taken = until - place.properties().lockMillis();
    if (taken > now || taken < Math.max(asked.atMillis(), place.floorMillis)) {
      throw new Violation("S-105", "a renewed lock does not last for the LockDuration");
    }
    for (long id : renew.lockIds()) {
      narrow(same, id, asked);
      Copy copy = world.locks.get(id);
      if (copy != null) {
        copy.change(each -> each.renewed(until));
      }
    }
  }
}

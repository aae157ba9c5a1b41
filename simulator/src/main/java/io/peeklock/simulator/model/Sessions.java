package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Session locks and session states. */
final class Sessions implements Clerk {
  private final World world;
  private final Course course;
  private final Moves moves;

  Sessions(World world, Course course, Moves moves) {
    this.world = world;
    this.course = course;
    this.moves = moves;
  }

  @Override
  public boolean answered(Asked asked, Answer answer, long now) {
    switch (asked.operation()) {
      case Operation.AcceptSession accept -> accept(accept, asked, answer, now);
      case Operation.RenewSession renew -> renew(renew, asked, answer, now);
      case Operation.GetState get -> state(get, asked, answer, now);
      case Operation.SetState set -> {
        if (expectSet(set, asked, now).done(answer)) {
          change(set, null);
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void renew(Operation.RenewSession renew, Asked asked, Answer answer, long now) {
    Place place = world.find(renew.path());
    Expect expect = expectHeld(place, renew.receiver(), renew.sessionId(), asked, now);
    if (expect.done(answer) && answer instanceof Answer.LockedUntil until) {
      Receiver holder = world.receivers.get(renew.receiver());
      if (holder != null && place != null) {
        lasts(place, until.millis(), asked, now, "S-244");
        holder.sessionUntil = until.millis();
      }
    }
  }

  private void state(Operation.GetState get, Asked asked, Answer answer, long now) {
    Place place = world.find(get.path());
    Expect expect = expectHeld(place, get.receiver(), get.sessionId(), asked, now);
    if (expect.done(answer) && answer instanceof Answer.State told && place != null) {
      Optional<String> seen = Optional.ofNullable(told.state());
      String sentence = get.sessionId() + " has not the state " + seen;
      place.state(get.sessionId()).narrow(seen::equals, "S-256", sentence);
    }
  }

  Expect expectSet(Operation.SetState set, Asked asked, long now) {
    Place place = world.find(set.path());
    return expectHeld(place, set.receiver(), set.sessionId(), asked, now)
        .may("TooManySessionStates", "QuotaExceeded");
  }

  /** S-254, S-255: it is stored, or cleared; when the doubt is true. */
  void change(Operation.SetState set, @Nullable Doubt doubt) {
    Place place = world.find(set.path());
    if (place == null) {
      return;
    }
    Uncertain<Optional<String>> state = place.state(set.sessionId());
    Possible<Optional<String>> after = Possible.of(Optional.ofNullable(set.state()));
    if (doubt == null) {
      state.become(List.of(after));
      return;
    }
    List<Possible<Optional<String>>> both =
        new ArrayList<>(state.possible().stream().map(each -> each.with(doubt, false)).toList());
    both.add(after.with(doubt, true));
    state.become(both);
  }

  @Override
  public void inDoubt(Asked asked, long now) {
    if (asked.operation() instanceof Operation.SetState set
        && !expectSet(set, asked, now).surelyRefused()) {
      change(set, new Doubt("S-256", "the state of " + set.sessionId()));
    }
  }

  /** S-244, S-251, S-258: only the holder may. */
  private Expect expectHeld(
      @Nullable Place place, String receiver, String sessionId, Asked asked, long now) {
    Expect expect = new Expect("S-244");
    if (place == null) {
      return expect.must("S-062", "EntityNotFound", "SessionLockLost");
    }
    Receiver holder = world.holding(receiver, place);
    boolean lost =
        holder == null
            || !sessionId.equals(holder.sessionId)
            || holder.sessionUntil < asked.atMillis();
    boolean mayBeLost = lost || holder == null || holder.sessionUntil <= now;
    return expect.mustWhen(lost, mayBeLost, "S-251", "SessionLockLost");
  }

  private void accept(Operation.AcceptSession accept, Asked asked, Answer answer, long now) {
    Place place = world.find(accept.path());
    Expect expect = Receiving.expectAttach(place);
    if (place == null || !place.sessions()) {
      expect.wrongKind("S-234").done(answer);
      return;
    }
    if (accept.sessionId() == null) {
      if (!offersForSure(place, now)) {
        expect.may("Timeout");
      }
      // S-239: it waits as long as the client asked.
      boolean early = now < asked.atMillis() + accept.waitMillis();
      if (early && answer instanceof Answer.Refused refused && refused.why().equals("Timeout")) {
        throw new Violation("S-239", "accepting a session ended before the time");
      }
    } else {
      Receiver holder = world.holder(place, accept.sessionId());
      boolean held = holder != null && holder.sessionUntil > now;
      expect.mustWhen(held, holder != null, "S-237", "SessionCannotBeLocked");
    }
    if (expect.done(answer) && answer instanceof Answer.SessionAccepted accepted) {
      accepted(accept, place, accepted, asked, now);
    }
  }

  private void accepted(
      Operation.AcceptSession accept,
      Place place,
      Answer.SessionAccepted accepted,
      Asked asked,
      long now) {
    String id = accepted.sessionId();
    if (accept.sessionId() == null) {
      next(place, id, now);
    } else if (!accept.sessionId().equals(id)) {
      throw new Violation("S-236", "asked for " + accept.sessionId() + ", got " + id);
    }
    Receiver holder = world.holder(place, id);
    if (holder != null && holder.sessionUntil > now) {
      throw new Violation("S-237", holder.name + " and another hold session " + id);
    }
    if (holder != null) {
      end(holder, true);
    }
    lasts(place, accepted.lockedUntilMillis(), asked, now, "S-243");
    Receiver receiver = new Receiver(accept.receiver(), place, accept.mode(), id);
    receiver.sessionUntil = accepted.lockedUntilMillis();
    world.add(receiver);
  }

  /** S-238, S-242: a session with an active message, the oldest first. */
  private void next(Place place, String id, long now) {
    List<Copy> own =
        place.copies.stream()
            .filter(copy -> id.equals(copy.sent.sessionId()) && copy.may(Situation::available))
            .toList();
    if (own.isEmpty()) {
      throw new Violation("S-241", "session " + id + " has nothing to offer");
    }
    for (Copy other : place.copies) {
      boolean older = offers(other, now) && own.stream().allMatch(other::before);
      if (older && !id.equals(other.sent.sessionId())) {
        throw new Violation("S-242", "session " + id + " came before an older one");
      }
    }
  }

  private boolean offersForSure(Place place, long now) {
    return place.copies.stream().anyMatch(copy -> offers(copy, now));
  }

  /** It makes its session one to offer, for certain. */
  private boolean offers(Copy copy, long now) {
    String session = copy.sent.sessionId();
    return session != null
        && copy.must(Situation::available)
        && copy.earliestExpiry() > now
        && world.holder(copy.place, session) == null;
  }

  private static void lasts(Place place, long until, Asked asked, long now, String rule) {
    long taken = until - place.properties().lockMillis();
    if (taken > now || taken < Math.max(asked.atMillis(), place.floorMillis)) {
      throw new Violation(rule, "the session lock does not last for the LockDuration");
    }
  }

  /** A receiver ends. S-128: a session lock that lapsed counts; S-129: a close does not. */
  void end(Receiver receiver, boolean lapsed) {
    receiver.ended = true;
    if (receiver.sessionId == null) {
      return;
    }
    for (Copy copy : List.copyOf(receiver.place.copies)) {
      moves.apply(
          copy,
          each ->
              receiver.name.equals(each.holder()) && each.reserved() == null
                  ? List.of(course.ended(copy, each, lapsed))
                  : List.of(),
          false,
          null);
    }
  }
}

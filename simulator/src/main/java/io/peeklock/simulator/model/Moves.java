package io.peeklock.simulator.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Carries out what becomes of copies. */
final class Moves {
  private final World world;
  private final Course course;
  private final Arrivals arrivals;

  Moves(World world, Course course, Arrivals arrivals) {
    this.world = world;
    this.course = course;
    this.arrivals = arrivals;
  }

  /** Everything that is due may have happened. */
  void ripen(long now) {
    boolean again = true;
    while (again) {
      again = false;
      for (Copy copy : world.copies()) {
        again |= ripen(copy, now);
      }
    }
  }

  private boolean ripen(Copy copy, long now) {
    if (copy.must(each -> course.due(copy, each, now, false).isEmpty())) {
      return false;
    }
    List<Possible<Situation>> before = copy.possible();
    apply(copy, each -> course.due(copy, each, now, false), true, null);
    return !before.equals(copy.possible());
  }

  /** Everything that was due by then has happened, in one of the possible ways. */
  void settle(long dueMillis, long now) {
    boolean again = true;
    while (again) {
      again = false;
      for (Copy copy : world.copies()) {
        if (copy.may(each -> !course.due(copy, each, dueMillis, true).isEmpty())) {
          copy.narrow(
              each -> course.due(copy, each, dueMillis, true).isEmpty(),
              "S-152",
              "what was due for " + copy.sent.tag() + " has not happened");
          again = true;
        }
      }
      ripen(now);
    }
  }

  /**
   * Replaces situations by what becomes of them.
   *
   * @param effect nothing for a situation that stays as it is
   * @param mayStay whether the old situation stays possible, too
   * @param doubt true when the effect happened; null when that is certain
   */
  void apply(
      Copy copy,
      Function<Situation, List<Outcome>> effect,
      boolean mayStay,
      @Nullable Doubt doubt) {
    copy.moves.removeIf(move -> move.doubt().truth() != null);
    List<Possible<Situation>> next = new ArrayList<>();
    for (Possible<Situation> each : copy.possible()) {
      List<Outcome> outcomes = effect.apply(each.value());
      if (outcomes.isEmpty() || mayStay) {
        next.add(each);
      } else if (doubt != null) {
        next.add(each.with(doubt, false));
      }
      for (Outcome outcome : outcomes) {
        next.add(after(copy, each, outcome).with(doubt, true));
      }
    }
    copy.become(next.stream().map(each -> notMoved(copy, each)).toList());
  }

  private Possible<Situation> after(Copy copy, Possible<Situation> each, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Stay stay -> each.instead(stay.next());
      case Outcome.Drop drop -> each.instead(Situation.GONE);
      case Outcome.Leave leave ->
          each.instead(Situation.GONE).with(move(copy, leave).doubt(), true);
    };
  }

  /** Where a possible value says nothing of a way on, that way was not taken. */
  private static Possible<Situation> notMoved(Copy copy, Possible<Situation> each) {
    Possible<Situation> said = each;
    for (Move move : copy.moves) {
      if (!said.given().containsKey(move.doubt())) {
        said = said.with(move.doubt(), false);
      }
    }
    return said;
  }

  private Move move(Copy copy, Outcome.Leave leave) {
    for (Move move : copy.moves) {
      if (move.leave().equals(leave)) {
        return move;
      }
    }
    Doubt doubt =
        switch (leave.how()) {
          case DEAD_LETTER ->
              new Doubt("S-204", copy.sent.tag() + " got lost or doubled when it died");
          case FORWARD -> new Doubt("S-290", copy.sent.tag() + " got lost or doubled by a forward");
          case ACTIVATE -> new Doubt("S-151", copy.sent.tag() + " is both scheduled and active");
        };
    List<Copy> copies = new ArrayList<>();
    if (leave.how() == Outcome.How.DEAD_LETTER) {
      Copy dead = copy.died(leave.to());
      Arrivals.begin(dead, leave.arriving(), doubt);
      copies.add(dead);
    } else {
      copies.addAll(arrivals.enter(leave.to(), entry(copy, leave, doubt)));
    }
    Move move = new Move(leave, doubt, copies);
    copy.moves.add(move);
    return move;
  }

  private Entry entry(Copy copy, Outcome.Leave leave, Doubt doubt) {
    boolean forward = leave.how() == Outcome.How.FORWARD;
    boolean dead = copy.place.kind == Place.Kind.DEAD_LETTERS;
    Place diedIn = copy.place.parent;
    // A schedule that was due when it was decided may never have waited.
    boolean atOnce = !forward && copy.sent.dueAtMillis() <= copy.enqueuedToMillis;
    return new Entry(
        copy.sent,
        leave.arriving().properties(),
        atOnce ? copy.firstTick : world.nextTick(),
        Long.MAX_VALUE,
        forward ? copy.enqueuedFromMillis : copy.sent.dueAtMillis(),
        Long.MAX_VALUE,
        dead ? 0 : copy.fewestHops + (forward ? 1 : 0),
        copy.mostHops + (forward ? 1 : 0),
        dead && diedIn != null ? diedIn.path : copy.source,
        copy,
        false,
        forward,
        doubt);
  }

  /**
   * S-321: the rules of a subscription changed. What may be on its way into the topic at that time
   * may have met the old ones or the new ones.
   */
  void rulesChanged(Place subscription) {
    for (Copy copy : world.copies()) {
      for (Move move : copy.moves) {
        if (move.leave().to() != subscription.parent || move.doubt().truth() != null) {
          continue;
        }
        move.copies().stream().filter(each -> isOf(each, subscription)).forEach(Copy::loosen);
        List<Copy> more = arrivals.select(subscription, entry(copy, move.leave(), move.doubt()));
        more.forEach(Copy::loosen);
        move.copies().addAll(more);
      }
    }
  }

  private static boolean isOf(Copy copy, Place subscription) {
    return copy.place == subscription || copy.place.parent == subscription;
  }
}

package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Properties.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What time does by itself: some while after it is due. */
final class Course {
  private static final int MOST_HOPS = 4;
  private static final String TOO_MANY_HOPS = "MaxTransferHopCountExceeded";

  private final World world;
  private final Quota quota;

  Course(World world, Quota quota) {
    this.world = world;
    this.quota = quota;
  }

  /**
   * What may have become of a copy in a situation.
   *
   * @param surely only if it has to have happened by now, one or another
   */
  List<Outcome> due(Copy copy, Situation now, long millis, boolean surely) {
    return switch (now.kind()) {
      case AWAY -> List.of();
      case COMING -> List.of(new Outcome.Stay(now.as(Situation.Kind.HERE)));
      case SCHEDULED -> activation(copy, now, millis, surely);
      case HERE -> {
        if (now.lockId() != 0) {
          yield lapse(copy, now, millis, surely);
        }
        // A deferred message stays, even past its expiry (S-174).
        yield now.deferred() ? List.of() : leaving(copy, now, millis, surely);
      }
    };
  }

  /** S-151, S-152: a scheduled message becomes active, never early; S-158: not while disabled. */
  private static List<Outcome> activation(Copy copy, Situation s, long millis, boolean surely) {
    Place place = copy.place;
    boolean stopped =
        place.kind == Place.Kind.TOPIC && place.properties().status() == Status.DISABLED;
    if (copy.sent.dueAtMillis() > millis || stopped || (surely && !place.mayBeSentTo())) {
      return List.of();
    }
    Situation active = s.as(Situation.Kind.HERE);
    return List.of(new Outcome.Leave(place, Outcome.How.ACTIVATE, active));
  }

  /** S-033, S-121: a lock lapses; S-382: not while a transaction reserves it. */
  private List<Outcome> lapse(Copy copy, Situation s, long millis, boolean surely) {
    if (s.reserved() != null) {
      Transaction open = world.transactions.get(s.reserved());
      boolean over = open == null || (surely ? open.hasLapsed(millis) : open.mayHaveLapsed(millis));
      return over ? List.of(new Outcome.Stay(s.reserved(null))) : List.of();
    }
    if (s.holder() == null) {
      // S-132: in a dead-letter queue a lapse does not count.
      boolean counts = copy.place.kind != Place.Kind.DEAD_LETTERS;
      return s.until() > millis ? List.of() : List.of(ended(copy, s, counts));
    }
    // S-128: a session lock that lapses counts for what was delivered.
    Receiver holder = world.receivers.get(s.holder());
    if (holder == null || holder.ended) {
      return List.of(ended(copy, s, true), ended(copy, s, false));
    }
    return holder.sessionUntil <= millis ? List.of(ended(copy, s, true)) : List.of();
  }

  /** The end of a lock without success; S-126, R-28: the Nth failure makes a dead letter. */
  Outcome ended(Copy copy, Situation s, boolean counts) {
    Situation free = s.unlocked(counts ? s.count() + 1 : s.count());
    boolean most =
        counts
            && copy.place.kind != Place.Kind.DEAD_LETTERS
            && free.count() >= copy.place.properties().maxDeliveryCount();
    return most ? deadLetter(copy.place, free, "MaxDeliveryCountExceeded") : new Outcome.Stay(free);
  }

  /** A dead letter keeps its count (S-134); a null reason adds nothing (S-189). */
  Outcome deadLetter(Place from, Situation s, @Nullable String reason) {
    Place to = world.find(from.path + Place.DEAD_LETTERS);
    if (to == null) {
      return new Outcome.Drop();
    }
    Situation dead =
        new Situation(Situation.Kind.HERE, s.count(), s.properties(), false, 0, 0, null, null);
    Situation told = reason == null ? dead : dead.merged(Map.of(Situation.REASON, reason));
    return new Outcome.Leave(to, Outcome.How.DEAD_LETTER, told);
  }

  /** An available message expires or is forwarded. */
  private List<Outcome> leaving(Copy copy, Situation s, long millis, boolean surely) {
    boolean dead = copy.place.kind == Place.Kind.DEAD_LETTERS;
    List<Outcome> ways = new ArrayList<>();
    // S-176: nothing expires in a dead-letter queue.
    if (!dead && (surely ? copy.latestExpiry() : copy.earliestExpiry()) <= millis) {
      ways.add(expiry(copy, s));
    }
    String target = copy.place.forwardsTo();
    if (target != null && !world.isVague(target)) {
      if (dead) {
        ways.addAll(forwardDead(copy, s, world.find(target), surely));
      } else {
        ways.addAll(forward(copy, s, world.find(target)));
      }
    }
    return ways;
  }

  /** S-168: to the dead-letter queue, or dropped. */
  Outcome expiry(Copy copy, Situation s) {
    return copy.place.properties().deadLettersExpired()
        ? deadLetter(copy.place, s, "TTLExpiredException")
        : new Outcome.Drop();
  }

  /** S-285, S-292, S-294. */
  private List<Outcome> forward(Copy copy, Situation s, @Nullable Place target) {
    List<Outcome> ways = new ArrayList<>();
    if (copy.mostHops >= MOST_HOPS) {
      ways.add(deadLetter(copy.place, s, TOO_MANY_HOPS));
    }
    if (copy.fewestHops < MOST_HOPS) {
      boolean mayFail = true;
      if (target != null && takes(target, copy)) {
        ways.add(onward(target, s));
        mayFail = quota.mayBeFull(target, copy.sent.bytes());
      }
      if (mayFail) {
        ways.add(deadLetter(copy.place, s, Situation.ANY_REASON));
      }
    }
    return ways;
  }

  /** S-197, S-200, S-201: it stays when it cannot go, or had too many hops. */
  private List<Outcome> forwardDead(
      Copy copy, Situation s, @Nullable Place target, boolean surely) {
    boolean stays = TOO_MANY_HOPS.equals(s.properties().get(Situation.REASON));
    if (stays || target == null || !takes(target, copy)) {
      return List.of();
    }
    boolean mayStay = copy.mostHops >= MOST_HOPS || quota.mayBeFull(target, copy.sent.bytes());
    return surely && mayStay ? List.of() : List.of(onward(target, s));
  }

  private static boolean takes(Place target, Copy copy) {
    boolean kind = target.kind == Place.Kind.QUEUE || target.kind == Place.Kind.TOPIC;
    return kind && target.mayBeSentTo() && (!target.sessions() || copy.sent.sessionId() != null);
  }

  /** S-133: the count starts again. */
  private static Outcome onward(Place target, Situation s) {
    Situation fresh = Situation.of(Situation.Kind.HERE, s.properties());
    return new Outcome.Leave(target, Outcome.How.FORWARD, fresh);
  }
}

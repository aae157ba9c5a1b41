package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Mode;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.history.Violation;
import java.util.List;

/** Audits a history: holds everything that may be, and finds what may not. */
public final class Model implements Auditor {
  private static final long DEFAULT_SWEEP_MILLIS = 1_000;

  private final long sweepMillis;
  private final World world = new World();
  private final Quota quota = new Quota(world);
  private final Course course = new Course(world, quota);
  private final Arrivals arrivals = new Arrivals(world);
  private final Moves moves = new Moves(world, course, arrivals);
  private final Sight sight = new Sight(world);
  private final Sessions sessions = new Sessions(world, course, moves);
  private final Receiving receiving = new Receiving(world, sight, sessions);
  private final Sending sending = new Sending(world, quota, arrivals, moves);
  private final Settling settling = new Settling(world, course, moves);
  private final Administration administration = new Administration(world, moves);
  private final List<Clerk> clerks =
      List.of(
          administration,
          sending,
          settling,
          receiving,
          sessions,
          new Reading(world, sight, receiving, course, moves),
          new Counting(world),
          new Transactions(world, sending, settling, sessions));
  private final Unanswered unanswered = new Unanswered(world, sending, settling);

  /** A model of a broker that does what is due within a second. */
  public Model() {
    this(DEFAULT_SWEEP_MILLIS);
  }

  /** A model of a broker that does what is due within this time, when it is at rest. */
  public Model(long sweepMillis) {
    this.sweepMillis = sweepMillis;
  }

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    Asked asked = new Asked(id, operation, nowMillis, world.nextTick());
    tags(operation);
    boolean silent =
        (operation instanceof Operation.Send send && !send.answered())
            || (operation instanceof Operation.Settle settle && !settle.answered());
    if (silent) {
      ripen(nowMillis);
      if (!world.isVague(Paths.of(operation, world))) {
        unanswered.asked(asked, nowMillis);
      }
      return;
    }
    world.pending.put(id, asked);
    if (operation instanceof Operation.Credit credit) {
      Receiver receiver = world.receivers.get(credit.receiver());
      if (receiver != null) {
        receiver.asks(credit.more());
      }
    }
  }

  private void tags(Operation operation) {
    List<SentMessage> sent =
        switch (operation) {
          case Operation.Send send -> send.messages();
          case Operation.SendIn send -> send.messages();
          default -> List.of();
        };
    boolean vague = world.isVague(Paths.of(operation, world));
    for (SentMessage each : sent) {
      world.tags.add(each.tag());
      if (vague) {
        world.untracked.add(each.tag());
      }
    }
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    Asked asked = world.pending.remove(id);
    if (asked == null) {
      throw new Violation("S-002", "an answer to what was not asked, or answered before");
    }
    world.nextTick();
    ripen(nowMillis);
    String path = Paths.of(asked.operation(), world);
    unanswered.done(path, asked.tick(), nowMillis);
    boolean vague = world.isVague(path);
    if (!vague || administration.isKnownAgain(asked.operation(), answer)) {
      for (Clerk clerk : clerks) {
        if (clerk.answered(asked, answer, nowMillis)) {
          break;
        }
      }
    }
    Place place = world.find(path);
    if (place != null) {
      place.floorMillis = Math.max(place.floorMillis, asked.atMillis());
    }
    world.prune();
  }

  private void ripen(long now) {
    unanswered.again(now);
    moves.ripen(now);
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    world.nextTick();
    for (SeenMessage each : messages) {
      ripen(nowMillis);
      receiving.delivered(receiver, List.of(each), nowMillis);
    }
    world.prune();
  }

  @Override
  public void drained(String receiver, long nowMillis) {
    world.nextTick();
    ripen(nowMillis);
    receiving.drained(receiver);
  }

  @Override
  public void receiverEnded(String receiver, String why, long nowMillis) {
    world.nextTick();
    ripen(nowMillis);
    receiving.ended(receiver, why, nowMillis);
    world.prune();
  }

  @Override
  public void restarted(long nowMillis) {
    world.nextTick();
    ripen(nowMillis);
    for (Asked asked : world.pending.values()) {
      clerks.forEach(clerk -> clerk.inDoubt(asked, nowMillis));
    }
    world.pending.clear();
    unanswered.lost(nowMillis);
    consumedUnseen();
    for (Copy copy : world.copies()) {
      // S-116, R-27: locks are gone, and nothing counts.
      copy.change(each -> each.here() ? each.unlocked(each.count()) : each);
    }
    world.receivers.clear();
    world.transactions.clear();
    world.places.values().forEach(place -> place.floorMillis = nowMillis);
    ripen(nowMillis);
    world.prune();
  }

  /** S-022: what was on the wire to a receiver that deletes is gone. */
  private void consumedUnseen() {
    for (Receiver receiver : world.receivers.values()) {
      boolean consumes =
          !receiver.ended && receiver.mode == Mode.RECEIVE_AND_DELETE && receiver.mostCredit > 0;
      if (consumes) {
        receiver.place.copies.stream()
            .filter(copy -> receiver.wants(copy) && copy.may(Situation::available))
            .forEach(Copy::loosen);
      }
    }
  }

  @Override
  public void atRest(long nowMillis) {
    world.nextTick();
    ripen(nowMillis);
    for (Asked asked : world.pending.values()) {
      boolean waits =
          asked.operation() instanceof Operation.AcceptSession accept
              && asked.atMillis() + accept.waitMillis() + sweepMillis > nowMillis;
      if (!waits) {
        throw new Violation("S-002", "no answer came to " + asked.operation());
      }
    }
    unanswered.allDone(nowMillis);
    long due = nowMillis - sweepMillis;
    for (Receiver receiver : world.receivers.values()) {
      if (!receiver.ended && receiver.sessionId != null && receiver.sessionUntil < due) {
        throw new Violation("S-250", receiver.name + " still holds a session that lapsed");
      }
    }
    moves.settle(due, nowMillis);
    for (Copy copy : world.copies()) {
      if (copy.must(each -> each.kind() != Situation.Kind.AWAY)) {
        copy.enqueuedToMillis = Math.min(copy.enqueuedToMillis, nowMillis);
        copy.lastTick = Math.min(copy.lastTick, world.nextTick());
      }
    }
    world.receivers.values().forEach(Model::served);
    world.prune();
  }

  /** S-086: a receiver with credit has got what is available. */
  private static void served(Receiver receiver) {
    if (receiver.ended) {
      return;
    }
    if (receiver.drains) {
      throw new Violation("S-087", receiver.name + " was not drained");
    }
    boolean open = receiver.place.forwardsTo() == null && receiver.place.mayBeReceivedFrom();
    if (receiver.sureCredit > 0 && open) {
      Receiving.nothingLeft(receiver, "S-086");
    }
  }
}

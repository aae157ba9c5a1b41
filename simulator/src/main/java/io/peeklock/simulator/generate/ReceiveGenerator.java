package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What receivers ask, and holders of locks and sessions. */
final class ReceiveGenerator {
  private static final int MANY = 6;

  private static final int SIZEABLE = 90_000;
  private static final int LARGE_STATE = 240_000;

  private final Swarm swarm;
  private final ObservedState known;
  private final EntityGenerator entities;
  private int receivers;
  private int transactions;

  ReceiveGenerator(Swarm swarm, ObservedState known, EntityGenerator entities) {
    this.swarm = swarm;
    this.known = known;
    this.entities = entities;
  }

  private Operation.Mode mode(RandomSource random) {
    return random.oneIn(4) ? Operation.Mode.RECEIVE_AND_DELETE : Operation.Mode.PEEK_LOCK;
  }

  @Nullable Operation open(RandomSource random) {
    var other = random.oneIn(3) ? receiver(random) : null; // they take from each other
    var from = other == null ? entities.receivable(random) : other.path();
    return from == null || known.receivers.size() > MANY
        ? close(random)
        : new Operation.OpenReceiver("r" + ++receivers, from, mode(random));
  }

  @Nullable Operation accept(RandomSource random) {
    var from = entities.withSessions(random);
    return from == null
        ? null
        : new Operation.AcceptSession(
            "r" + ++receivers,
            from,
            random.oneIn(2) ? null : entities.session(random),
            mode(random),
            random.between(0, 4_000));
  }

  private ObservedState.@Nullable Receiver receiver(RandomSource random) {
    return known.receivers.isEmpty() ? null : random.of(new ArrayList<>(known.receivers.values()));
  }

  @Nullable Operation credit(RandomSource random) {
    var receiver = receiver(random);
    return receiver == null
        ? open(random)
        : new Operation.Credit(receiver.name(), random.of(1, 1, 3, 20));
  }

  @Nullable Operation drain(RandomSource random) {
    var beside = known.besideDraining();
    var receiver = beside.isEmpty() || random.oneIn(2) ? receiver(random) : random.of(beside);
    return receiver == null ? null : new Operation.Drain(receiver.name());
  }

  @Nullable Operation close(RandomSource random) {
    var receiver = receiver(random);
    return receiver == null ? null : new Operation.CloseReceiver(receiver.name());
  }

  // ---- settling

  Operation.@Nullable Settle complete(RandomSource random) {
    return settle(random, Operation.Settlement.COMPLETE);
  }

  Operation.@Nullable Settle settle(RandomSource random) {
    return settle(random, random.of(Operation.Settlement.values()));
  }

  private Operation.@Nullable Settle settle(RandomSource random, Operation.Settlement how) {
    if (known.locks.isEmpty()) {
      return null;
    }
    var first = random.of(known.locks);
    var ids = new ArrayList<>(List.of(first.id()));
    if (random.oneIn(4)) {
      known.locks.stream()
          .filter(lock -> lock.path().equals(first.path()) && lock.id() != first.id())
          .limit(3)
          .forEach(lock -> ids.add(lock.id()));
    }
    var changed = new TreeMap<String, Object>();
    if (ids.size() == 1 && how != Operation.Settlement.COMPLETE && random.oneIn(3)) {
      changed.put(random.of("color", "note"), entities.color(random));
    }
    var hasReason = ids.size() == 1 && how == Operation.Settlement.DEAD_LETTER;
    return new Operation.Settle(
        first.path(),
        how,
        List.copyOf(ids),
        changed,
        hasReason && random.oneIn(2) ? "because" + random.below(3) : null,
        !random.oneIn(8),
        random.oneIn(8) ? anotherHolder(random) : holder(first));
  }

  /** As who mistakes one session for another. */
  private @Nullable String anotherHolder(RandomSource random) {
    var holder = holderOfAny(random);
    return holder == null ? null : holder.name();
  }

  private @Nullable String holder(ObservedState.Lock lock) {
    var receiver = known.receivers.get(lock.receiver());
    return receiver != null && receiver.sessionId() != null ? receiver.name() : null;
  }

  /** As who is confused does: again, or long after. */
  @Nullable Operation settleOld(RandomSource random) {
    var path = entities.receivable(random);
    if (known.oldLocks.isEmpty() || path == null) {
      return null;
    }
    return new Operation.Settle(
        path,
        random.of(Operation.Settlement.values()),
        List.of(random.of(known.oldLocks)),
        new TreeMap<>(),
        null,
        true,
        null);
  }

  @Nullable Operation renew(RandomSource random) {
    if (known.locks.isEmpty()) {
      return null;
    }
    var lock = random.of(known.locks);
    return new Operation.Renew(lock.path(), List.of(lock.id()));
  }

  @Nullable Operation receiveDeferred(RandomSource random) {
    if (known.deferred.isEmpty()) {
      return null;
    }
    var which = random.of(known.deferred);
    var holders =
        known.receivers.values().stream()
            .filter(each -> each.path().equals(which.path()) && each.sessionId() != null)
            .toList();
    return new Operation.ReceiveDeferred(
        which.path(),
        random.oneIn(3) ? withOthers(which, random) : List.of(which.sequenceNumber()),
        mode(random),
        holders.isEmpty() ? null : random.of(holders).name());
  }

  /** Several, and one of them twice at times. */
  private List<Long> withOthers(ObservedState.Numbered which, RandomSource random) {
    var numbers = new ArrayList<>(List.of(which.sequenceNumber()));
    known.deferred.stream()
        .filter(other -> other.path().equals(which.path()))
        .map(ObservedState.Numbered::sequenceNumber)
        .filter(number -> number != which.sequenceNumber())
        .distinct()
        .limit(random.below(3))
        .forEach(numbers::add);
    if (random.oneIn(2)) {
      numbers.add(random.of(numbers));
    }
    return List.copyOf(numbers);
  }

  @Nullable Operation peek(RandomSource random) {
    var path = entities.receivable(random);
    return path == null
        ? null
        : new Operation.Peek(
            path,
            random.oneIn(2) ? 0 : random.below(40),
            random.of(1, 5, 100),
            swarm.sessions() && random.oneIn(3) ? entities.session(random) : null);
  }

  // ---- sessions

  private ObservedState.@Nullable Receiver holderOfAny(RandomSource random) {
    var holders =
        known.receivers.values().stream().filter(each -> each.sessionId() != null).toList();
    return holders.isEmpty() ? null : random.of(holders);
  }

  /** The session that it holds, mostly. */
  private String sessionOf(ObservedState.Receiver holder, RandomSource random) {
    var session = holder.sessionId();
    return session == null || random.oneIn(10) ? entities.session(random) : session;
  }

  @Nullable Operation renewSession(RandomSource random) {
    var holder = holderOfAny(random);
    return holder == null
        ? null
        : new Operation.RenewSession(holder.name(), holder.path(), sessionOf(holder, random));
  }

  @Nullable Operation getState(RandomSource random) {
    var holder = holderOfAny(random);
    return holder == null
        ? null
        : new Operation.GetState(holder.name(), holder.path(), sessionOf(holder, random));
  }

  @Nullable Operation listSessions(RandomSource random) {
    var path = entities.withSessions(random);
    return path == null
        ? null
        : new Operation.ListSessions(
            path,
            random.oneIn(2) ? Long.MAX_VALUE : known.nowMillis() - random.between(0, 5_000),
            random.of(1, 100));
  }

  Operation.@Nullable SetState setState(RandomSource random) {
    var holder = holderOfAny(random);
    return holder == null
        ? null
        : new Operation.SetState(
            holder.name(),
            holder.path(),
            sessionOf(holder, random),
            random.oneIn(4) ? null : state(random));
  }

  /** Large ones at times, in runs that have large messages. */
  private String state(RandomSource random) {
    var name = "state" + random.below(100);
    var isLarge = swarm.sizes().contains(SIZEABLE) && random.oneIn(3);
    return isLarge ? name + "x".repeat(LARGE_STATE) : name;
  }

  // ---- transactions

  Operation declare() {
    return new Operation.Declare("x" + ++transactions);
  }

  @Nullable Operation settleIn(RandomSource random) {
    var settle = settle(random);
    return settle == null || known.transactions.isEmpty()
        ? null
        : new Operation.SettleIn(random.of(known.transactions), settle);
  }

  @Nullable Operation setStateIn(RandomSource random) {
    var set = setState(random);
    return set == null || known.transactions.isEmpty()
        ? null
        : new Operation.SetStateIn(random.of(known.transactions), set);
  }

  @Nullable Operation discharge(RandomSource random) {
    return known.transactions.isEmpty()
        ? null
        : new Operation.Discharge(random.of(known.transactions), !random.oneIn(3));
  }
}

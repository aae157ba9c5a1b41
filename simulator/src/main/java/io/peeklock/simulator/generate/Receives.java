package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What receivers ask, and holders of locks and sessions. */
final class Receives {
  private static final int MANY = 6;

  private final Swarm swarm;
  private final Known known;
  private final Entities entities;
  private int receivers;
  private int transactions;

  Receives(Swarm swarm, Known known, Entities entities) {
    this.swarm = swarm;
    this.known = known;
    this.entities = entities;
  }

  private Operation.Mode mode(Chance chance) {
    return chance.oneIn(4) ? Operation.Mode.RECEIVE_AND_DELETE : Operation.Mode.PEEK_LOCK;
  }

  @Nullable Operation open(Chance chance) {
    var from = entities.receivable(chance);
    return from == null || known.receivers.size() > MANY
        ? close(chance)
        : new Operation.OpenReceiver("r" + ++receivers, from, mode(chance));
  }

  @Nullable Operation accept(Chance chance) {
    var from = entities.withSessions(chance);
    return from == null
        ? null
        : new Operation.AcceptSession(
            "r" + ++receivers,
            from,
            chance.oneIn(2) ? null : entities.session(chance),
            mode(chance),
            chance.between(0, 4_000));
  }

  private Known.@Nullable Receiver receiver(Chance chance) {
    return known.receivers.isEmpty() ? null : chance.of(new ArrayList<>(known.receivers.values()));
  }

  @Nullable Operation credit(Chance chance) {
    var receiver = receiver(chance);
    return receiver == null
        ? open(chance)
        : new Operation.Credit(receiver.name(), chance.of(1, 1, 3, 20));
  }

  @Nullable Operation drain(Chance chance) {
    var receiver = receiver(chance);
    return receiver == null ? null : new Operation.Drain(receiver.name());
  }

  @Nullable Operation close(Chance chance) {
    var receiver = receiver(chance);
    return receiver == null ? null : new Operation.CloseReceiver(receiver.name());
  }

  // ---- settling

  Operation.@Nullable Settle complete(Chance chance) {
    return settle(chance, Operation.Settlement.COMPLETE);
  }

  Operation.@Nullable Settle settle(Chance chance) {
    return settle(chance, chance.of(Operation.Settlement.values()));
  }

  private Operation.@Nullable Settle settle(Chance chance, Operation.Settlement how) {
    if (known.locks.isEmpty()) {
      return null;
    }
    var first = chance.of(known.locks);
    var ids = new ArrayList<>(List.of(first.id()));
    if (chance.oneIn(4)) {
      known.locks.stream()
          .filter(lock -> lock.path().equals(first.path()) && lock.id() != first.id())
          .limit(3)
          .forEach(lock -> ids.add(lock.id()));
    }
    var changed = new TreeMap<String, Object>();
    if (ids.size() == 1 && how != Operation.Settlement.COMPLETE && chance.oneIn(3)) {
      changed.put(chance.of("color", "note"), entities.color(chance));
    }
    var hasReason = ids.size() == 1 && how == Operation.Settlement.DEAD_LETTER;
    return new Operation.Settle(
        first.path(),
        how,
        List.copyOf(ids),
        changed,
        hasReason && chance.oneIn(2) ? "because" + chance.below(3) : null,
        !chance.oneIn(8),
        holder(first));
  }

  private @Nullable String holder(Known.Lock lock) {
    var receiver = known.receivers.get(lock.receiver());
    return receiver != null && receiver.sessionId() != null ? receiver.name() : null;
  }

  /** As who is confused does: again, or long after. */
  @Nullable Operation settleOld(Chance chance) {
    var path = entities.receivable(chance);
    if (known.oldLocks.isEmpty() || path == null) {
      return null;
    }
    return new Operation.Settle(
        path,
        chance.of(Operation.Settlement.values()),
        List.of(chance.of(known.oldLocks)),
        new TreeMap<>(),
        null,
        true,
        null);
  }

  @Nullable Operation renew(Chance chance) {
    if (known.locks.isEmpty()) {
      return null;
    }
    var lock = chance.of(known.locks);
    return new Operation.Renew(lock.path(), List.of(lock.id()));
  }

  @Nullable Operation receiveDeferred(Chance chance) {
    if (known.deferred.isEmpty()) {
      return null;
    }
    var which = chance.of(known.deferred);
    var holders =
        known.receivers.values().stream()
            .filter(each -> each.path().equals(which.path()) && each.sessionId() != null)
            .toList();
    return new Operation.ReceiveDeferred(
        which.path(),
        List.of(which.sequenceNumber()),
        mode(chance),
        holders.isEmpty() ? null : chance.of(holders).name());
  }

  @Nullable Operation peek(Chance chance) {
    var path = entities.receivable(chance);
    return path == null
        ? null
        : new Operation.Peek(
            path,
            chance.oneIn(2) ? 0 : chance.below(40),
            chance.of(1, 5, 100),
            swarm.sessions() && chance.oneIn(3) ? entities.session(chance) : null);
  }

  // ---- sessions

  private Known.@Nullable Receiver holderOfAny(Chance chance) {
    var holders =
        known.receivers.values().stream().filter(each -> each.sessionId() != null).toList();
    return holders.isEmpty() ? null : chance.of(holders);
  }

  /** The session that it holds, mostly. */
  private String sessionOf(Known.Receiver holder, Chance chance) {
    var session = holder.sessionId();
    return session == null || chance.oneIn(10) ? entities.session(chance) : session;
  }

  @Nullable Operation renewSession(Chance chance) {
    var holder = holderOfAny(chance);
    return holder == null
        ? null
        : new Operation.RenewSession(holder.name(), holder.path(), sessionOf(holder, chance));
  }

  @Nullable Operation getState(Chance chance) {
    var holder = holderOfAny(chance);
    return holder == null
        ? null
        : new Operation.GetState(holder.name(), holder.path(), sessionOf(holder, chance));
  }

  Operation.@Nullable SetState setState(Chance chance) {
    var holder = holderOfAny(chance);
    return holder == null
        ? null
        : new Operation.SetState(
            holder.name(),
            holder.path(),
            sessionOf(holder, chance),
            chance.oneIn(4) ? null : "state" + chance.below(100));
  }

  // ---- transactions

  Operation declare() {
    return new Operation.Declare("x" + ++transactions);
  }

  @Nullable Operation settleIn(Chance chance) {
    var settle = settle(chance);
    return settle == null || known.transactions.isEmpty()
        ? null
        : new Operation.SettleIn(chance.of(known.transactions), settle);
  }

  @Nullable Operation setStateIn(Chance chance) {
    var set = setState(chance);
    return set == null || known.transactions.isEmpty()
        ? null
        : new Operation.SetStateIn(chance.of(known.transactions), set);
  }

  @Nullable Operation discharge(Chance chance) {
    return known.transactions.isEmpty()
        ? null
        : new Operation.Discharge(chance.of(known.transactions), !chance.oneIn(3));
  }
}

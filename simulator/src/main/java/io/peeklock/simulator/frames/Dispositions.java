package io.peeklock.simulator.frames;

import io.peeklock.simulator.history.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settlements of deliveries on the links that they came on. */
final class Dispositions {
  private static final String DEAD_LETTER = "com.microsoft:dead-letter";
  private static final String REASON = "DeadLetterReason";

  private final Ledger ledger;

  Dispositions(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The link on which all of them can be settled; null for none. */
  @Nullable Link linkOf(List<Long> lockIds) {
    Link common = null;
    for (var id : lockIds) {
      var lock = ledger.locks.lock(id);
      var on = lock == null ? null : lock.on();
      if (on == null || on.state != Link.State.ATTACHED || (common != null && common != on)) {
        return null;
      }
      common = on;
    }
    return common;
  }

  /** Settles on the link that {@link #linkOf} found, ids that follow each other as a range. */
  void settle(Link on, Operation.Settle settle) {
    if (settle.answered()) {
      settle(on, settle, settle, state(settle));
    } else {
      ledger.ask(settle);
      dispose(on, settle.lockIds(), state(settle), null);
    }
  }

  /**
   * The same with an answer.
   *
   * @param operation of which it is told
   * @param state that of the settlement, be it in a transaction
   */
  void settle(Link on, Operation operation, Operation.Settle settle, Wire.Described state) {
    var tally = new Tally(ledger, ledger.question(operation), settle.lockIds().size());
    dispose(on, settle.lockIds(), state, tally);
  }

  private void dispose(Link on, List<Long> locks, Wire.Described state, @Nullable Tally tally) {
    for (var from = 0; from < locks.size(); ) {
      var first = delivery(locks.get(from));
      var to = from + 1;
      while (to < locks.size() && delivery(locks.get(to)) == first + to - from) {
        to++;
      }
      var place = from;
      on.session.dispose(
          on,
          first,
          first + to - from - 1,
          state,
          tally == null ? null : (id, outcome) -> put(tally, place + (int) (id - first), outcome));
      locks.subList(from, to).forEach(ledger.locks::settled);
      from = to;
    }
  }

  private static void put(Tally tally, int place, Wire.Described outcome) {
    if (outcome.equals(Settling.LOST)) {
      tally.lost();
    } else {
      tally.put(place, Refusals.of(outcome));
    }
  }

  private long delivery(long lockId) {
    var lock = ledger.locks.lock(lockId);
    return lock == null ? -1 : lock.deliveryId();
  }

  /** The outcome that a settlement is. */
  static Wire.Described state(Operation.Settle settle) {
    var changed = new LinkedHashMap<Object, Object>();
    settle.changed().forEach((name, value) -> changed.put(new Wire.Symbol(name), value));
    return switch (settle.settlement()) {
      case COMPLETE -> Wire.composite(Settling.ACCEPTED);
      case RELEASE -> Wire.composite(Settling.RELEASED);
      case ABANDON -> Wire.composite(Settling.MODIFIED, true, false, changed);
      case DEFER -> Wire.composite(Settling.MODIFIED, true, true, changed);
      case DEAD_LETTER -> {
        if (settle.reason() != null) {
          changed.put(new Wire.Symbol(REASON), settle.reason());
        }
        yield Wire.composite(
            Settling.REJECTED,
            Wire.composite(Frame.ERROR, new Wire.Symbol(DEAD_LETTER), null, changed));
      }
    };
  }
}

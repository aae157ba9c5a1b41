package io.peeklock.simulator.frames;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A link to the coordinator of transactions, and those that were declared on it. */
final class Coordinator implements Link.Listener {
  private static final int COORDINATOR = 0x30;
  private static final int DECLARE = 0x31;
  private static final int DISCHARGE = 0x32;
  private static final int DECLARED = 0x33;
  private static final int TRANSACTIONAL = 0x34;

  private final Ledger ledger;
  private final Link link;
  private final TreeMap<String, byte[]> ids = new TreeMap<>();

  Coordinator(Ledger ledger, Session session, String name) {
    this.ledger = ledger;
    this.link =
        session.attach(
            name,
            false,
            0,
            0,
            Terminus.source(name),
            Wire.composite(COORDINATOR, (Object) null),
            null,
            this);
  }

  boolean isOver() {
    return link.isOver();
  }

  /** Whether it knows a transaction that is not discharged. */
  boolean has(String transaction) {
    return ids.containsKey(transaction);
  }

  void declare(Operation.Declare declare) {
    var id = ledger.question(declare);
    send(
        Wire.composite(DECLARE, (Object) null),
        new Asked(id) {
          @Override
          public void settled(Wire.Described outcome) {
            if (outcome.code() == DECLARED) {
              ids.put(declare.transaction(), (byte[]) Objects.requireNonNull(outcome.field(0)));
            }
            super.settled(outcome);
          }
        });
  }

  void discharge(Operation.Discharge discharge) {
    var id = ledger.question(discharge);
    var transaction = ids.remove(discharge.transaction());
    send(Wire.composite(DISCHARGE, transaction, !discharge.commit()), new Asked(id));
  }

  private void send(Wire.Described body, Outgoing.Listener listener) {
    link.send(new Outgoing(Messages.value(body), 0, false, null, listener));
  }

  /**
   * The state of a delivery in a transaction that {@link #has} knows.
   *
   * @param outcome of a settlement; null for a transfer
   */
  Wire.Described in(String transaction, Wire.@Nullable Described outcome) {
    return Wire.composite(TRANSACTIONAL, ids.get(transaction), outcome);
  }

  /** A message on its way whose outcome is the answer. */
  private class Asked implements Outgoing.Listener {
    private final long id;

    Asked(long id) {
      this.id = id;
    }

    @Override
    public void settled(Wire.Described outcome) {
      var why = Refusals.of(outcome);
      ledger.answer(id, why == null ? new Answer.Done() : new Answer.Refused(why));
    }

    @Override
    public void unsent(Wire.@Nullable Described error) {
      ledger.doubt(id);
    }

    @Override
    public void lost() {
      ledger.doubt(id);
    }
  }

  @Override
  public void attached(Link mine, Frame attach) {
    // What waits goes with the credit.
  }

  /** What is open on it is rolled back. */
  @Override
  public void ended(Link mine, Wire.@Nullable Described error) {
    ids.keySet().forEach(ledger::rolledBack);
    ids.clear();
  }
}

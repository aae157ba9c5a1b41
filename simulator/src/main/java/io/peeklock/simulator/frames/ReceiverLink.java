package io.peeklock.simulator.frames;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A link on which a client receives from a queue, or from a session of it. */
final class ReceiverLink implements Link.Listener {
  private static final int SETTLED = 1;
  private static final int UNSETTLED = 0;
  private static final long TICKS_AT_1970 = 621_355_968_000_000_000L;
  private static final long TICKS_PER_MILLI = 10_000;
  private static final String DISCONNECTED = "Disconnected";

  private final Ledger ledger;
  private final String name;
  private final Link link;
  private @Nullable Long accepting;
  private @Nullable String sessionId;
  private boolean isClosed;

  private ReceiverLink(
      Ledger ledger,
      Session session,
      String name,
      Operation.Mode mode,
      int settleMode,
      Wire.Described source,
      @Nullable Object properties) {
    this.ledger = ledger;
    this.name = name;
    this.link =
        session.attach(
            name,
            true,
            mode == Operation.Mode.RECEIVE_AND_DELETE ? SETTLED : UNSETTLED,
            settleMode,
            source,
            Terminus.target(name),
            properties,
            this);
  }

  /**
   * Attaches one.
   *
   * @param settleMode of the receiver: 0 settles first, 1 second
   */
  static ReceiverLink open(
      Ledger ledger, Session session, Operation.OpenReceiver open, int settleMode) {
    ledger.ask(open);
    return new ReceiverLink(
        ledger,
        session,
        open.receiver(),
        open.mode(),
        settleMode,
        Terminus.source(open.path()),
        null);
  }

  /** Attaches one that is answered once it has a session. */
  static ReceiverLink accept(
      Ledger ledger, Session session, Operation.AcceptSession accept, int settleMode) {
    var id = ledger.question(accept);
    var receiver =
        new ReceiverLink(
            ledger,
            session,
            accept.receiver(),
            accept.mode(),
            settleMode,
            Terminus.sessionOf(accept.path(), accept.sessionId()),
            Map.of(new Wire.Symbol("com.microsoft:timeout"), new Wire.Uint(accept.waitMillis())));
    receiver.accepting = id;
    return receiver;
  }

  String name() {
    return name;
  }

  /** The session that it was given; null for none. */
  @Nullable String sessionId() {
    return sessionId;
  }

  /** Whether it can be asked for anything. */
  boolean isAttached() {
    return link.state == Link.State.ATTACHED;
  }

  boolean isOver() {
    return link.isOver();
  }

  boolean isDraining() {
    return link.isDraining();
  }

  void credit(Operation.Credit credit) {
    ledger.ask(credit);
    link.addCredit(credit.more());
  }

  void drain(Operation.Drain drain) {
    ledger.ask(drain);
    link.drain();
  }

  void close(Operation.CloseReceiver close, boolean isClosedForGood) {
    ledger.ask(close);
    isClosed = true;
    link.detach(isClosedForGood);
  }

  @Override
  public void attached(Link mine, Frame attach) {
    var asked = accepting;
    if (asked != null) {
      accepting = null;
      var session = Terminus.session((Wire.Described) Objects.requireNonNull(attach.field(5)));
      var ticks = Wire.number(Wire.entry(attach.field(13), "com.microsoft:locked-until-utc"));
      sessionId = session;
      ledger.answer(
          asked,
          new Answer.SessionAccepted(
              Objects.requireNonNull(session), (ticks - TICKS_AT_1970) / TICKS_PER_MILLI));
    }
  }

  @Override
  public void delivered(Link mine, Incoming delivery) {
    var lock =
        delivery.isSettled ? 0 : ledger.locks.name(Locks.ofTag(delivery.tag), mine, delivery.id);
    ledger.delivered(name, Messages.seen(delivery.message(), lock));
  }

  @Override
  public void drained(Link mine) {
    ledger.drained(name);
  }

  @Override
  public void ended(Link mine, Wire.@Nullable Described error) {
    var asked = accepting;
    accepting = null;
    if (asked != null) {
      if (error == null) {
        ledger.doubt(asked);
      } else {
        ledger.answer(asked, new Answer.Refused(Refusals.why(error)));
      }
    } else if (!isClosed) {
      ledger.receiverEnded(name, error == null ? DISCONNECTED : Refusals.why(error));
    }
  }
}

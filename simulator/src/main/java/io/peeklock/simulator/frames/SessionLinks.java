package io.peeklock.simulator.frames;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.world.RandomSource;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A session, and links on it that are made as they are needed. */
final class SessionLinks {
  private static final long BATCH = 0x80013700L;
  private static final String MANAGEMENT = "/$management";

  private final Ledger ledger;
  private final Session session;
  private final TreeMap<String, SenderLink> senders = new TreeMap<>();
  private final TreeMap<String, ReceiverLink> receivers = new TreeMap<>();
  private final TreeMap<String, RequestNode> nodes = new TreeMap<>();
  private final Management management;
  private @Nullable Coordinator coordinator;
  private int links;

  SessionLinks(Ledger ledger, Session session) {
    this.ledger = ledger;
    this.session = session;
    this.management = new Management(ledger, path -> node(path + MANAGEMENT));
  }

  boolean isOver() {
    return session.isOver();
  }

  /** Ends it without a word about its links. */
  void end() {
    session.end();
  }

  // ---- sending

  void send(Operation.Send send) {
    if (send.atomic() && isScheduled(send)) {
      management.schedule(send);
      return;
    }
    var isBatch = send.atomic() && send.messages().size() > 1;
    var count = isBatch ? 1 : send.messages().size();
    var id = send.answered() ? ledger.question(send) : ledger.ask(send);
    var tally = send.answered() ? new Tally(ledger, id, count) : null;
    if (isBatch) {
      send(send.path(), Messages.batch(send.messages()), BATCH, null, tally, 0);
    } else {
      sendEach(send.path(), send.messages(), null, tally);
    }
  }

  private static boolean isScheduled(Operation.Send send) {
    return send.messages().stream().anyMatch(message -> message.dueAtMillis() != 0);
  }

  private void sendEach(
      String path, List<SentMessage> messages, @Nullable Object state, @Nullable Tally tally) {
    for (var i = 0; i < messages.size(); i++) {
      send(path, Messages.bytes(messages.get(i)), 0, state, tally, i);
    }
  }

  private void send(
      String path,
      byte[] message,
      long format,
      @Nullable Object state,
      @Nullable Tally tally,
      int place) {
    var listener = tally == null ? Outgoing.NOBODY : tally.sent(place);
    sender(path).send(new Outgoing(message, format, tally == null, state, listener));
  }

  private SenderLink sender(String path) {
    var known = senders.get(path);
    if (known == null || known.isOver()) {
      known = new SenderLink(session, "sender" + ++links, path);
      senders.put(path, known);
    }
    return known;
  }

  // ---- receiving

  void open(Operation.OpenReceiver open, RandomSource random) {
    put(ReceiverLink.open(ledger, session, open, random.below(2)));
  }

  void accept(Operation.AcceptSession accept, RandomSource random) {
    put(ReceiverLink.accept(ledger, session, accept, random.below(2)));
  }

  private void put(ReceiverLink receiver) {
    receivers.put(receiver.name(), receiver);
  }

  /** The receiver of this name if it is here; null if not. */
  @Nullable ReceiverLink receiver(String name) {
    return receivers.get(name);
  }

  // ---- requests

  Management management() {
    return management;
  }

  /** The node of an address. */
  RequestNode node(String address) {
    var known = nodes.get(address);
    if (known == null || known.isOver()) {
      known = new RequestNode(session, "node" + ++links, address);
      nodes.put(address, known);
    }
    return known;
  }

  // ---- transactions

  /** Whether a transaction is open here. */
  boolean has(String transaction) {
    return coordinator != null && coordinator.has(transaction);
  }

  void declare(Operation.Declare declare) {
    coordinator().declare(declare);
  }

  void discharge(Operation.Discharge discharge) {
    coordinator().discharge(discharge);
  }

  void sendIn(Operation.SendIn send) {
    var tally = new Tally(ledger, ledger.question(send), send.messages().size());
    sendEach(send.path(), send.messages(), coordinator().in(send.transaction(), null), tally);
  }

  /**
   * Settles in a transaction.
   *
   * @param on the link on which all of it can be settled; null for none
   */
  void settleIn(Operation.SettleIn settle, @Nullable Link on, @Nullable String sessionId) {
    if (on == null) {
      var state = coordinator().in(settle.transaction(), null);
      management.settle(settle, settle.settle(), sessionId, state);
    } else {
      var outcome = Dispositions.state(settle.settle());
      var state = coordinator().in(settle.transaction(), outcome);
      new Dispositions(ledger).settle(on, settle, settle.settle(), state);
    }
  }

  void setStateIn(Operation.SetStateIn set) {
    management.setState(set, set.set(), coordinator().in(set.transaction(), null));
  }

  private Coordinator coordinator() {
    var known = coordinator;
    if (known == null || known.isOver()) {
      known = new Coordinator(ledger, session, "coordinator" + ++links);
      coordinator = known;
    }
    return known;
  }

  boolean isOf(Link link) {
    return link.session == session;
  }
}

package io.peeklock.simulator.frames;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.RandomSource;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One client: its connection, a session on it, and links that it makes as it needs them. */
final class ClientConnection {
  private static final long BATCH = 0x80013700L;

  private final Ledger ledger;
  private final Peer peer;
  private final Session session;
  private final TreeMap<String, SenderLink> senders = new TreeMap<>();
  private final TreeMap<String, ReceiverLink> receivers = new TreeMap<>();
  private int links;

  ClientConnection(Ledger ledger, Peer peer) {
    this.ledger = ledger;
    this.peer = peer;
    this.session = peer.begin();
  }

  boolean isOver() {
    return peer.isOver() || session.isOver();
  }

  Peer peer() {
    return peer;
  }

  // ---- sending

  void send(Operation.Send send) {
    var isBatch = send.atomic() && send.messages().size() > 1;
    var count = isBatch ? 1 : send.messages().size();
    var tally = send.answered() ? new Tally(ledger, ledger.question(send), count) : null;
    if (tally == null) {
      ledger.ask(send);
    }
    for (var i = 0; i < count; i++) {
      send(
          send.path(),
          isBatch ? Messages.batch(send.messages()) : Messages.bytes(send.messages().get(i)),
          isBatch ? BATCH : 0,
          tally == null ? Outgoing.NOBODY : tally.sent(i));
    }
  }

  private void send(String path, byte[] message, long format, Outgoing.Listener listener) {
    sender(path).send(new Outgoing(message, format, listener == Outgoing.NOBODY, null, listener));
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
}

package io.peeklock.conformance.orchestration;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.Frame;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which several links and a coordinator are used at a time: what comes is put where
 * somebody will look for it. For one thread.
 */
final class Conversation {
  private static final long COORDINATOR = 90;
  private static final Described ACCEPTED = Described.list(0x24);

  private final RawConnection connection;
  private final Map<Long, Incoming> links = new HashMap<>();
  private final Map<Long, Described> outcomes = new HashMap<>();

  /** One message in hand. */
  record Delivery(long id, RawMessage message) {}

  /** A link on which we receive. */
  static final class Incoming {
    private final long handle;
    private final Queue<Delivery> arrived = new ArrayDeque<>();
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
    private long delivery;
    private long received;
    private boolean isDrained;

    private Incoming(long handle) {
      this.handle = handle;
    }

    private void take(Described transfer, byte[] bytes) {
      delivery = transfer.number(1, delivery);
      payload.writeBytes(bytes);
      if (!transfer.truth(5)) {
        arrived.add(new Delivery(delivery, RawMessage.parse(payload.toByteArray())));
        payload.reset();
        received++;
      }
    }
  }

  Conversation(RawConnection connection) throws IOException {
    this.connection = connection;
    RawLinks.attached(connection, RawLinks.coordinator(COORDINATOR));
  }

  /** Attaches a sender. */
  void sender(long handle, String address) throws IOException {
    attach(RawLinks.sender(handle, address));
  }

  /** Attaches a receiver. */
  Incoming receiver(long handle, Described attach) throws IOException {
    return incoming(handle, attach(attach));
  }

  /** What arrives on a link that is attached. */
  Incoming incoming(long handle, Described answer) {
    var incoming = new Incoming(handle);
    links.put(answer.number(1, -1), incoming);
    return incoming;
  }

  /** Attaches; the answer, which may be a refusal that a detach follows. */
  Described attach(Described attach) throws IOException {
    connection.send(0, attach);
    connection.flush();
    return await(RawConnection.ATTACH);
  }

  /** Ends a link and waits until the broker has ended it too. */
  void detach(long handle) throws IOException {
    connection.send(0, RawLinks.detach(handle));
    connection.flush();
    await(RawConnection.DETACH);
  }

  /** Answers the detach of a refused link. */
  void refused(long handle) throws IOException {
    await(RawConnection.DETACH);
    connection.send(0, RawLinks.detach(handle));
    connection.flush();
  }

  /** The next message of a link; null when there is none now. */
  @Nullable Delivery next(Incoming link) throws IOException {
    link.isDrained = false;
    connection.send(0, RawLinks.flow(link.handle, link.received, 1, true));
    connection.flush();
    while (!link.isDrained) {
      turn();
    }
    return link.arrived.poll();
  }

  /** The reply that a link of replies brings; it must have credit. */
  RawMessage reply(Incoming link) throws IOException {
    connection.send(0, RawLinks.flow(link.handle, link.received, 1, false));
    connection.flush();
    while (true) {
      var reply = link.arrived.poll();
      if (reply != null) {
        return reply.message();
      }
      turn();
    }
  }

  /** Sends a message, within a transaction where there is one; does not wait. */
  long send(long handle, boolean settled, byte[] message, byte @Nullable [] transaction)
      throws IOException {
    var state = transaction == null ? null : RawLinks.within(transaction, null);
    return RawLinks.transfer(connection, handle, settled, message, state);
  }

  /** Sends a message and waits until it is accepted. */
  void sendSurely(long handle, byte[] message) throws IOException {
    var outcome = outcome(send(handle, false, message, null));
    if (outcome.code() != ACCEPTED.code()) {
      throw new IOException("a message was refused: " + outcome);
    }
  }

  /** Completes a message within a transaction; does not wait. */
  void complete(Delivery delivery, byte[] transaction) throws IOException {
    connection.send(
        0, RawLinks.settle(delivery.id(), false, RawLinks.within(transaction, ACCEPTED)));
  }

  /** Completes a message and does not ask what became of it. */
  void acknowledge(Delivery delivery) throws IOException {
    connection.send(0, RawLinks.settle(delivery.id(), true, ACCEPTED));
  }

  /** Begins a transaction; its id. */
  byte[] declare() throws IOException {
    var answer = outcome(tell(Described.list(0x31)));
    if (answer.field(0) instanceof byte[] id) {
      return id;
    }
    throw new IOException("a transaction was not declared: " + answer);
  }

  /** Ends a transaction; whether the broker did as it was told. */
  boolean discharge(byte[] transaction, boolean rollsBack) throws IOException {
    var answer = outcome(tell(Described.list(0x32, transaction, rollsBack)));
    return answer.code() == ACCEPTED.code();
  }

  private long tell(Described command) throws IOException {
    return RawLinks.transfer(connection, COORDINATOR, false, RawMessage.command(command));
  }

  private Described outcome(long delivery) throws IOException {
    connection.flush();
    outcomes.keySet().removeIf(id -> id < delivery);
    while (true) {
      var outcome = outcomes.remove(delivery);
      if (outcome != null) {
        return outcome;
      }
      turn();
    }
  }

  private Described await(long code) throws IOException {
    while (true) {
      var frame = connection.readFrame();
      var performative = frame.performative();
      if (performative != null && frame.code() == code) {
        return performative;
      }
      sort(frame);
    }
  }

  private void turn() throws IOException {
    sort(connection.readFrame());
  }

  private void sort(Frame frame) throws IOException {
    var performative = frame.performative();
    if (performative == null) {
      return;
    }
    switch ((int) frame.code()) {
      case (int) RawConnection.TRANSFER -> {
        var link = links.get(performative.number(0, -1));
        if (link != null) {
          link.take(performative, frame.payload());
        }
      }
      case (int) RawConnection.FLOW -> flowed(performative);
      case (int) RawConnection.DISPOSITION -> disposed(performative);
      default -> throw new IOException("the broker gave up: " + performative);
    }
  }

  private void flowed(Described flow) {
    var link = links.get(flow.number(4, -1));
    if (link != null && flow.truth(8)) {
      link.received = flow.number(5, link.received);
      link.isDrained = true;
    }
  }

  /** What became of deliveries that we sent. */
  private void disposed(Described disposition) {
    if (disposition.truth(0) && disposition.field(4) instanceof Described state) {
      var first = disposition.number(1, -1);
      for (var id = first; id <= disposition.number(2, first); id++) {
        outcomes.put(id, state);
      }
    }
  }
}

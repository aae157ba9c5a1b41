package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.framing.ProtocolViolation;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.engine.session.AmqpSession;
import io.peeklock.amqp.engine.session.SessionWriter;
import io.peeklock.amqp.engine.session.SettlementBuffer;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The links of one session by their handles, with the frames about them. */
public final class SessionLinks implements LinkSession {
  private final AmqpSession session;
  private final ConnectionContext connection;
  private final SessionWriter sessionWriter;
  private final LinkWriter writer;
  private final SettlementBuffer settlements;
  private final OutgoingDeliveries deliveries;
  private final BitSet localHandles = new BitSet();
  private @Nullable AmqpLink[] links = new AmqpLink[4];
  private int nextIncomingId;

  /** Reads a begin; what is malformed becomes a {@link ProtocolViolation}. */
  public SessionLinks(
      AmqpSession session,
      ConnectionContext connection,
      SessionWriter sessionWriter,
      SettlementBuffer settlements,
      Performative begin) {
    this.session = session;
    this.connection = connection;
    this.sessionWriter = sessionWriter;
    this.writer = new LinkWriter(connection.output(), session.channel());
    this.settlements = settlements;
    nextIncomingId = begin.requiredUint(1, "begin.next-outgoing-id");
    begin.require(2, "begin.incoming-window");
    var transfers = new TransferWriter(session.channel());
    int firstId = connection.firstId();
    deliveries =
        new OutgoingDeliveries(
            connection.output(), transfers, settlements, firstId, begin.unsigned(2, 0));
  }

  /** How many transfer frames the client will take now. */
  public int sendableFrames() {
    return deliveries.sendableFrames();
  }

  /** How many deliveries that went out are not settled yet. */
  public int unsettledCount() {
    return deliveries.unsettledCount();
  }

  // ------------------------------------------------------------------ frames about links

  /** A transfer; its payload lies from {@code payloadAt} to {@code end}. */
  public void onTransfer(Performative fields, int payloadAt, int end) {
    nextIncomingId++;
    int handle = fields.requiredUint(0, "transfer.handle");
    IncomingTransfer transfer = connection.transfer();
    transfer.read(fields, payloadAt, end);
    if (!(linkAt(handle) instanceof ReceivingLink link) || !link.isAttached()) {
      return; // unknown, refused, or detached: Python sends some (T-62)
    }
    boolean first = link.onTransfer(fields);
    transfer.about(link, first);
    connection.listener().onTransfer(transfer);
    link.topUp();
  }

  /** A disposition. */
  public void onDisposition(Performative fields) {
    fields.require(0, "disposition.role");
    int first = fields.requiredUint(1, "disposition.first");
    int last = fields.uint(2, first);
    boolean settled = fields.flag(3);
    PeerState state = connection.peerState();
    state.read(fields, 4);
    if (!fields.flag(0)) {
      return; // about deliveries that came from the client: those we settled at once
    }
    if (settled) {
      state.dropNonTerminal();
    } else if (isNoOutcome(state)) {
      return;
    }
    deliveries.onDisposition(first, last, settled, state);
  }

  private static boolean isNoOutcome(PeerState state) {
    return switch (state.kind()) {
      case NONE, RECEIVED, DECLARED -> true;
      case ACCEPTED, REJECTED, RELEASED, MODIFIED -> false;
    };
  }

  /** A FLOW, of the session alone too. */
  public void onFlow(Performative flow) {
    int expected = flow.uint(0, connection.firstId());
    long window = flow.unsigned(1, 0);
    flow.require(1, "flow.incoming-window");
    boolean aboutLink = flow.has(4);
    deliveries.onWindow(expected, window); // first: links that get credit want to send
    AmqpLink link = aboutLink ? linkAt(flow.uint(4, 0)) : null;
    if (link != null) {
      link.onFlow(flow);
    } else if (!aboutLink && flow.flag(9)) {
      sessionWriter.sessionFlow(nextIncomingId, deliveries.nextOutgoingId());
    }
    if (session.isOpen()) {
      tellSendable();
    }
  }

  /**
   * An attach.
   *
   * @param end where the performative ends
   * @return the error to end the session with, or null
   */
  public @Nullable AmqpError onAttach(Performative attach, int end) {
    attach.require(0, "attach.name");
    int handle = attach.requiredUint(1, "attach.handle");
    attach.require(2, "attach.role");
    int most = connection.limits().maxLinksPerSession();
    if (handle < 0 || handle > connection.limits().handleMax()) {
      throw ProtocolViolation.of(AmqpError.FRAMING_ERROR, "a handle is above handle-max");
    }
    if (linkAt(handle) != null) {
      return AmqpError.of(AmqpError.HANDLE_IN_USE, "handle " + handle + " is in use");
    }
    boolean clientReceives = attach.flag(2);
    long weight = connection.weights().add(end - attach.offset(0));
    var request = weighed(attach, clientReceives, weight);
    int local = localHandles.nextClearBit(0);
    localHandles.set(local);
    SessionListener listener = connection.listener();
    AmqpLink link =
        clientReceives
            ? new SendingLink(this, listener, request, local, deliveries)
            : new ReceivingLink(this, listener, request, local);
    link.weight = weight;
    put(handle, link);
    if (local >= most) {
      link.refuse(AmqpError.of(AmqpError.RESOURCE_LIMIT_EXCEEDED, "at most " + most + " links"));
      return null;
    }
    switch (link) {
      case SendingLink sending -> listener.onAttachSending(sending);
      case ReceivingLink receiving -> listener.onAttachReceiving(receiving);
    }
    return null;
  }

  /** Decodes an attach that was weighed; what is malformed weighs nothing. */
  private AttachRequest weighed(Performative attach, boolean clientReceives, long weight) {
    boolean sound = false;
    try {
      var request = new AttachRequest(attach, clientReceives);
      sound = true;
      return request;
    } finally {
      if (!sound) {
        connection.weights().remove(weight);
      }
    }
  }

  /** A detach. */
  public void onDetach(Performative detach) {
    int handle = detach.requiredUint(0, "detach.handle");
    AmqpError error = detach.error(2);
    AmqpLink link = linkAt(handle);
    if (link == null) {
      return;
    }
    links[handle] = null;
    connection.weights().remove(link.weight);
    boolean owed = link.onDetach();
    link.freeLocalHandle();
    if (owed) {
      connection.listener().onDetach(link, error);
    }
    tellSendable();
  }

  private void tellSendable() {
    if (deliveries.isAwaitedAndFree()) {
      connection.listener().onSendable(session);
    }
  }

  // ------------------------------------------------------------------ ends

  /** Silences the links, without a frame or a callback. */
  public void silence() {
    for (AmqpLink link : links) {
      if (link != null) {
        link.silence();
      }
    }
    deliveries.discard();
  }

  /** Ends all links without a frame, and makes the pending callbacks. */
  public void end() {
    silence();
    for (int handle = 0; handle < links.length; handle++) {
      AmqpLink link = links[handle];
      links[handle] = null;
      if (link == null) {
        continue;
      }
      connection.weights().remove(link.weight);
      if (link.over()) {
        connection.listener().onDetach(link, null);
      }
    }
  }

  // ------------------------------------------------------------------ what a link needs

  @Override
  public AmqpSession session() {
    return session;
  }

  @Override
  public void flush() {
    settlements.flush();
  }

  @Override
  public void writeAttach(int handle, AttachRequest request, @Nullable AttachReply reply) {
    writer.attach(handle, request, reply);
  }

  @Override
  public void writeDetach(int handle, @Nullable AmqpError error) {
    writer.detach(handle, error);
  }

  @Override
  public void writeFlow(int handle, int deliveryCount, int credit, boolean drain) {
    int nextOutgoingId = deliveries.nextOutgoingId();
    sessionWriter.linkFlow(nextIncomingId, nextOutgoingId, handle, deliveryCount, credit, drain);
  }

  @Override
  public void freeHandle(int handle) {
    localHandles.clear(handle);
  }

  // ------------------------------------------------------------------ handles

  private @Nullable AmqpLink linkAt(int handle) {
    return handle >= 0 && handle < links.length ? links[handle] : null;
  }

  private void put(int handle, AmqpLink link) {
    if (handle >= links.length) {
      int most = connection.limits().handleMax() + 1;
      links =
          Arrays.copyOf(
              links, Math.clamp(2L * links.length, handle + 1, Math.max(most, handle + 1)));
    }
    links[handle] = link;
  }
}

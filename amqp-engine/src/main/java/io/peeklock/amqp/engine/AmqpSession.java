package io.peeklock.amqp.engine;

import io.peeklock.amqp.engine.codec.Descriptor;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP session: windows, delivery ids, and the unsettled deliveries of its links. Not to be
 * mixed up with Service Bus sessions.
 */
public final class AmqpSession {
  /** Where a session is; each may go to those after it. */
  private enum Phase {
    OPEN,
    END_SENT,
    OVER
  }

  private final AmqpEngine engine;
  private final int channel;
  private final OutgoingDeliveries deliveries;
  private final SettlementRange settlements;
  private final BitSet localHandles = new BitSet();
  private @Nullable AmqpLink[] links = new AmqpLink[4];
  private Phase phase = Phase.OPEN;
  private boolean owesEnd = true;
  private boolean unflushed;
  private int nextIncomingId;
  private @Nullable Object attachment;

  /** Reads a begin; what is malformed becomes a {@link ProtocolViolation}. */
  AmqpSession(AmqpEngine engine, int channel, Performative begin, int firstId) {
    this.engine = engine;
    this.channel = channel;
    nextIncomingId = begin.requiredUint(1, "begin.next-outgoing-id");
    begin.require(2, "begin.incoming-window");
    deliveries = new OutgoingDeliveries(this, firstId, begin.unsigned(2, 0));
    settlements = new SettlementRange(this, true);
  }

  /** The engine that this session belongs to. */
  public AmqpEngine engine() {
    return engine;
  }

  /** The channel number, the same in both directions. */
  public int channel() {
    return channel;
  }

  /** Whether frames may still be exchanged. */
  public boolean isOpen() {
    return phase == Phase.OPEN;
  }

  /** What the edge keeps with this session; null at first. */
  public @Nullable Object attachment() {
    return attachment;
  }

  public void attach(@Nullable Object attachment) {
    this.attachment = attachment;
  }

  /**
   * Settles deliveries that came from the client. Neighbouring calls with equal outcomes leave as
   * one range, at the next {@link AmqpEngine#flush} at the latest. Does nothing on an ended
   * session.
   *
   * @param firstDeliveryId the first delivery id, as given by {@link IncomingTransfer#deliveryId}
   * @param lastDeliveryId the last one, inclusive; may be the same
   */
  public void settleIncoming(int firstDeliveryId, int lastDeliveryId, Outcome outcome) {
    if (isOpen()) {
      settlements.add(firstDeliveryId, lastDeliveryId, outcome);
      noteUnflushed();
    }
  }

  /**
   * How many transfer frames the client will take now. 0 while a delivery is only partly out. When
   * something could not be sent because of this, {@link EngineListener#onSendable} follows.
   */
  public int sendableFrames() {
    return isOpen() ? deliveries.sendableFrames() : 0;
  }

  /** How many deliveries that went out are not settled yet, over all links of the session. */
  public int unsettledCount() {
    return deliveries.unsettledCount();
  }

  /** Ends the session, and its links with it. Does nothing when it is already over. */
  public void end(@Nullable AmqpError error) {
    if (!isOpen()) {
      return;
    }
    owesEnd = false;
    endFromHere(error);
  }

  OutgoingDeliveries deliveries() {
    return deliveries;
  }

  int nextIncomingId() {
    return nextIncomingId;
  }

  /** Makes sure that {@link #flush} will be called. */
  void noteUnflushed() {
    if (!unflushed) {
      unflushed = true;
      engine.noteUnflushed(this);
    }
  }

  /** Writes the settlements that are held back, in both directions. */
  void flush() {
    unflushed = false;
    settlements.flush();
    deliveries.flush();
  }

  // ------------------------------------------------------------------ frames of this session

  /** Takes a frame of this channel; {@code payloadAt} to {@code end} is a transfer's payload. */
  void onFrame(Performative fields, int payloadAt, int end) {
    int code = (int) fields.code();
    if (code == (int) Descriptor.END) {
      onEnd(fields.error(0));
    } else if (phase != Phase.OPEN) {
      return; // we ended it; the client may not know yet
    } else {
      switch (code) {
        case (int) Descriptor.TRANSFER -> onTransfer(fields, payloadAt, end);
        case (int) Descriptor.DISPOSITION -> onDisposition(fields);
        case (int) Descriptor.FLOW -> onFlow(fields);
        case (int) Descriptor.ATTACH -> onAttach(fields, end);
        case (int) Descriptor.DETACH -> onDetach(fields);
        default -> throw new IllegalStateException("not a frame of a session: " + code);
      }
    }
  }

  private void onTransfer(Performative fields, int payloadAt, int end) {
    nextIncomingId++;
    int handle = fields.requiredUint(0, "transfer.handle");
    IncomingTransfer transfer = engine.transfer();
    transfer.read(fields, payloadAt, end);
    if (!(linkAt(handle) instanceof ReceivingLink link) || !link.isAttached()) {
      return; // unknown, refused, or detached: Python sends some (T-62)
    }
    link.onTransfer(fields, transfer);
    engine.listener().onTransfer(transfer);
    link.topUp();
  }

  private void onDisposition(Performative fields) {
    fields.require(0, "disposition.role");
    int first = fields.requiredUint(1, "disposition.first");
    int last = fields.uint(2, first);
    boolean settled = fields.flag(3);
    PeerState state = engine.peerState();
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

  private void onFlow(Performative flow) {
    int expected = flow.uint(0, engine.firstId());
    long window = flow.unsigned(1, 0);
    flow.require(1, "flow.incoming-window");
    boolean aboutLink = flow.has(4);
    deliveries.onWindow(expected, window); // first: who hears of credit wants to send
    AmqpLink link = aboutLink ? linkAt(flow.uint(4, 0)) : null;
    if (link != null) {
      link.onFlow(flow);
    } else if (!aboutLink && flow.flag(9)) {
      engine.writer().sessionFlow(this);
    }
    if (isOpen()) {
      deliveries.tellSendable();
    }
  }

  private void onAttach(Performative attach, int end) {
    attach.require(0, "attach.name");
    int handle = attach.requiredUint(1, "attach.handle");
    attach.require(2, "attach.role");
    int most = engine.config().limits().maxLinksPerSession();
    if (handle < 0 || handle > engine.config().limits().handleMax()) {
      throw ProtocolViolation.of(AmqpError.FRAMING_ERROR, "a handle is above handle-max");
    }
    if (linkAt(handle) != null) {
      var error = AmqpError.of(AmqpError.HANDLE_IN_USE, "handle " + handle + " is in use");
      endFromHere(error);
      tellEnd(error);
      return;
    }
    boolean clientReceives = attach.flag(2);
    long weight = engine.weights().add(end - attach.offset(0));
    var request = weighed(attach, weight);
    int local = localHandles.nextClearBit(0);
    localHandles.set(local);
    AmqpLink link =
        clientReceives
            ? new SendingLink(this, request, local, handle)
            : new ReceivingLink(this, request, local, handle);
    link.weight = weight;
    put(handle, link);
    if (local >= most) {
      link.refuse(AmqpError.of(AmqpError.RESOURCE_LIMIT_EXCEEDED, "at most " + most + " links"));
      return;
    }
    switch (link) {
      case SendingLink sending -> engine.listener().onAttachSending(sending);
      case ReceivingLink receiving -> engine.listener().onAttachReceiving(receiving);
    }
  }

  /** Decodes an attach that was weighed; what is malformed weighs nothing. */
  private AttachRequest weighed(Performative attach, long weight) {
    boolean sound = false;
    try {
      var request = new AttachRequest(attach);
      sound = true;
      return request;
    } finally {
      if (!sound) {
        engine.weights().remove(weight);
      }
    }
  }

  private void onDetach(Performative detach) {
    int handle = detach.requiredUint(0, "detach.handle");
    AmqpError error = detach.error(2);
    AmqpLink link = linkAt(handle);
    if (link == null) {
      return;
    }
    links[handle] = null;
    engine.weights().remove(link.weight);
    boolean owed = link.onDetach();
    freeLocalHandle(link);
    if (owed) {
      engine.listener().onDetach(link, error);
    }
    deliveries.tellSendable();
  }

  private void onEnd(@Nullable AmqpError error) {
    engine.remove(this);
    if (phase == Phase.OPEN) {
      flush();
      engine.writer().end(channel, null);
    }
    over(error);
  }

  // ------------------------------------------------------------------ ends

  /** Makes the session and its links deaf and mute, without a frame or a callback. */
  void silence() {
    phase = Phase.OVER;
    settlements.discard();
    for (AmqpLink link : links) {
      if (link != null) {
        link.silence();
      }
    }
    deliveries.discard();
  }

  /** Ends the session without a frame, and tells what is owed about its links and itself. */
  void over(@Nullable AmqpError error) {
    silence();
    endLinks();
    tellEnd(error);
  }

  private void endFromHere(@Nullable AmqpError error) {
    flush();
    engine.writer().end(channel, error);
    phase = Phase.END_SENT;
    endLinks();
  }

  private void tellEnd(@Nullable AmqpError error) {
    if (owesEnd) {
      owesEnd = false;
      engine.listener().onEnd(this, error);
    }
  }

  private void endLinks() {
    for (AmqpLink link : links) {
      if (link != null) {
        link.silence();
      }
    }
    deliveries.discard();
    for (int handle = 0; handle < links.length; handle++) {
      AmqpLink link = links[handle];
      links[handle] = null;
      if (link == null) {
        continue;
      }
      engine.weights().remove(link.weight);
      if (link.over()) {
        engine.listener().onDetach(link, null);
      }
    }
  }

  // ------------------------------------------------------------------ handles

  void freeLocalHandle(AmqpLink link) {
    // Freed at our detach and again at the client's: by then it may be another link's.
    if (link.releaseLocalHandle()) {
      localHandles.clear(link.localHandle());
    }
  }

  private @Nullable AmqpLink linkAt(int handle) {
    return handle >= 0 && handle < links.length ? links[handle] : null;
  }

  private void put(int handle, AmqpLink link) {
    if (handle >= links.length) {
      int most = engine.config().limits().handleMax() + 1;
      links =
          Arrays.copyOf(
              links, Math.clamp(2L * links.length, handle + 1, Math.max(most, handle + 1)));
    }
    links[handle] = link;
  }
}

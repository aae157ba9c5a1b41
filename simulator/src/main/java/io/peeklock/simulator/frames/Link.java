package io.peeklock.simulator.frames;

import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The client's end of a link. */
final class Link {
  final Session session;
  final String name;
  final int handle;
  final boolean isReceiver;
  final Listener listener;
  private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();
  State state = State.ATTACHING;
  private long deliveryCount;
  private long credit;
  private long limit;
  private boolean isDraining;
  private @Nullable Incoming partial;

  /** How far it is. */
  enum State {
    ATTACHING,
    ATTACHED,
    DETACHING,
    DETACHED
  }

  /** Whose link it is. */
  interface Listener {
    /** The broker accepted it; the frame is its attach. */
    void attached(Link link, Frame attach);

    /** A whole message came. */
    default void delivered(Link link, Incoming delivery) {
      throw new IllegalStateException("nobody receives on " + link.name);
    }

    /** The credit that was left is back. */
    default void drained(Link link) {}

    /**
     * It is over, refused or lost.
     *
     * @param error null when the client wanted it, or its connection is gone
     */
    void ended(Link link, Wire.@Nullable Described error);
  }

  Link(Session session, String name, int handle, boolean isReceiver, Listener listener) {
    this.session = session;
    this.name = name;
    this.handle = handle;
    this.isReceiver = isReceiver;
    this.listener = listener;
  }

  boolean isOver() {
    return state == State.DETACHING || state == State.DETACHED;
  }

  // ---- of a sender

  /** Sends a message once there is credit. */
  void send(Outgoing message) {
    waiting.add(message);
    sendWaiting();
  }

  void sendWaiting() {
    while (state == State.ATTACHED
        && credit > 0
        && !waiting.isEmpty()
        && session.mayTransfer(waiting.element())) {
      session.transfer(this, waiting.remove());
      credit--;
      deliveryCount++;
    }
  }

  /** What was never sent is told so. */
  private void giveUp(Wire.@Nullable Described error) {
    for (var next = waiting.poll(); next != null; next = waiting.poll()) {
      next.listener().unsent(error);
    }
  }

  // ---- of a receiver

  /** The broker may send so many more. */
  void addCredit(int more) {
    limit += more;
    session.flow(this, deliveryCount, limit - deliveryCount, false);
  }

  boolean isDraining() {
    return isDraining;
  }

  void drain() {
    isDraining = true;
    session.flow(this, deliveryCount, Math.max(0, limit - deliveryCount), true);
  }

  void detach(boolean isClosed) {
    if (!isOver()) {
      state = State.DETACHING;
      session.detach(this, isClosed);
    }
  }

  // ---- from the broker

  void attached(Frame attach) {
    if (isReceiver) {
      deliveryCount = Wire.number(attach.field(9));
      limit = deliveryCount;
    }
    if (attach.field(isReceiver ? 5 : 6) instanceof Wire.Described) {
      state = state == State.ATTACHING ? State.ATTACHED : state;
      listener.attached(this, attach);
    } // else it is refused, and the detach follows
  }

  void flow(Frame flow) {
    if (!isReceiver) {
      credit = Wire.number(flow.field(5), 0) + flow.number(6) - deliveryCount;
      sendWaiting();
    } else if (isDraining && flow.number(6) == 0) {
      isDraining = false;
      deliveryCount = flow.number(5);
      limit = deliveryCount;
      listener.drained(this);
    }
  }

  void transfer(Frame transfer) {
    var current = partial;
    if (current == null) {
      if (deliveryCount >= limit) {
        throw new IllegalStateException("the broker sends to " + name + " without credit");
      }
      current =
          new Incoming(
              transfer.number(1),
              (byte[]) Objects.requireNonNull(transfer.field(2)),
              transfer.truth(4));
      partial = current;
    }
    current.append(transfer.payload());
    if (transfer.truth(9)) {
      partial = null;
      deliveryCount++;
    } else if (!transfer.truth(5)) {
      partial = null;
      deliveryCount++;
      listener.delivered(this, current);
    }
  }

  /** It is over. */
  void end(Wire.@Nullable Described error) {
    if (state != State.DETACHED) {
      state = State.DETACHED;
      giveUp(error);
      listener.ended(this, error);
    }
  }
}

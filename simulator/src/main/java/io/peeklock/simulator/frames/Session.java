package io.peeklock.simulator.frames;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The client's end of a session: windows, deliveries, links by handle. */
final class Session {
  private final Peer peer;
  private final int channel;
  private final int window;
  private final TreeMap<Integer, Link> links = new TreeMap<>();
  private final TreeMap<Integer, Link> byTheirs = new TreeMap<>();
  private final TreeMap<Long, Sent> sent = new TreeMap<>();
  private final TreeMap<Long, Settled> settling = new TreeMap<>();
  private final TreeSet<Long> forgotten = new TreeSet<>();
  private int handles;
  private long deliveries;
  private long outgoing;
  private long outgoingLimit;
  private long incoming;
  private long incomingLimit;
  private boolean hasBegun;
  private boolean isOver;

  /** A delivery to the broker that is not settled. */
  private record Sent(Link on, Outgoing.Listener listener) {}

  /** A settlement that the broker has not answered. */
  private record Settled(Link on, BiConsumer<Long, Wire.Described> answered) {}

  Session(Peer peer, int channel, int window) {
    this.peer = peer;
    this.channel = channel;
    this.window = window;
    peer.write(
        channel,
        Wire.composite(
            Frame.BEGIN, null, uint(0), uint(window), uint(Integer.MAX_VALUE), uint(1_000)));
  }

  private static Wire.Uint uint(long value) {
    return new Wire.Uint(value);
  }

  boolean isOver() {
    return isOver;
  }

  Peer peer() {
    return peer;
  }

  // ---- what the client does

  /** Attaches a link; its ends as they are given. */
  Link attach(
      String name,
      boolean isReceiver,
      int senderMode,
      int receiverMode,
      Wire.Described source,
      Wire.Described target,
      @Nullable Object properties,
      Link.Listener listener) {
    var link = new Link(this, name, handles++, isReceiver, listener);
    links.put(link.handle, link);
    peer.write(
        channel,
        Wire.composite(
            Frame.ATTACH,
            name,
            uint(link.handle),
            isReceiver,
            new Wire.Ubyte(senderMode),
            new Wire.Ubyte(receiverMode),
            source,
            target,
            null,
            null,
            isReceiver ? null : uint(0),
            null,
            null,
            null,
            properties));
    return link;
  }

  void detach(Link link, boolean isClosed) {
    peer.write(channel, Wire.composite(Frame.DETACH, uint(link.handle), isClosed, null));
  }

  /** Ends it without a word about its links. */
  void end() {
    if (!isOver) {
      peer.write(channel, Wire.composite(Frame.END, (Object) null));
      over(null);
    }
  }

  /** A flow of a link. */
  void flow(Link link, long deliveryCount, long credit, boolean drain) {
    incomingLimit = incoming + window;
    peer.write(
        channel,
        Wire.composite(
            Frame.FLOW,
            uint(incoming),
            uint(window),
            uint(outgoing),
            uint(Integer.MAX_VALUE),
            uint(link.handle),
            uint(deliveryCount),
            uint(credit),
            null,
            drain,
            false));
  }

  private void openWindow() {
    if (incomingLimit - incoming <= window / 2) {
      incomingLimit = incoming + window;
      peer.write(
          channel,
          Wire.composite(
              Frame.FLOW, uint(incoming), uint(window), uint(outgoing), uint(Integer.MAX_VALUE)));
    }
  }

  boolean mayTransfer(Outgoing message) {
    return outgoing + frames(message) <= outgoingLimit;
  }

  private int pieceBytes() {
    return peer.frameBytes() - 200; // more than any performative of a transfer takes
  }

  private int frames(Outgoing message) {
    return Math.max(1, (message.message().length + pieceBytes() - 1) / pieceBytes());
  }

  void transfer(Link link, Outgoing message) {
    var id = deliveries++;
    if (!message.isSettled()) {
      sent.put(id, new Sent(link, message.listener()));
    }
    var bytes = message.message();
    var count = frames(message);
    for (var i = 0; i < count; i++) {
      var from = i * pieceBytes();
      var piece = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + pieceBytes()));
      var isFirst = i == 0;
      peer.write(
          channel,
          Wire.composite(
              Frame.TRANSFER,
              uint(link.handle),
              isFirst ? uint(id) : null,
              isFirst ? tag(id) : null,
              isFirst ? uint(message.format()) : null,
              message.isSettled(),
              i < count - 1,
              null,
              isFirst ? message.state() : null),
          piece);
    }
    outgoing += count;
  }

  private static byte[] tag(long id) {
    return new byte[] {(byte) (id >> 24), (byte) (id >> 16), (byte) (id >> 8), (byte) id};
  }

  /**
   * Settles deliveries of the broker's.
   *
   * @param answered told once for each; null when the client settles first
   */
  void dispose(
      Link link,
      long first,
      long last,
      Wire.Described state,
      @Nullable BiConsumer<Long, Wire.Described> answered) {
    for (var id = first; answered != null && id <= last; id++) {
      settling.put(id, new Settled(link, answered));
    }
    peer.write(
        channel,
        Wire.composite(
            Frame.DISPOSITION, true, uint(first), uint(last), answered == null, state, null));
  }

  // ---- what the broker says

  void take(Frame frame) {
    if (isOver && frame.code() != Frame.END) {
      return; // it was under way
    }
    switch (frame.code()) {
      case Frame.BEGIN -> {
        hasBegun = true;
        incoming = frame.number(1);
        incomingLimit = incoming + window;
        outgoingLimit = frame.number(2);
      }
      case Frame.ATTACH -> attached(frame);
      case Frame.FLOW -> flowed(frame);
      case Frame.TRANSFER -> transferred(frame);
      case Frame.DISPOSITION -> disposed(frame);
      case Frame.DETACH -> detached(frame);
      case Frame.END -> {
        if (!isOver) {
          peer.write(channel, Wire.composite(Frame.END, (Object) null));
        }
        peer.ended(channel);
        over((Wire.Described) frame.field(0));
      }
      default -> throw new IllegalStateException("the broker sent to a session " + frame);
    }
  }

  private void attached(Frame frame) {
    var isReceiver = !frame.truth(2);
    for (var link : links.values()) {
      if (link.name.equals(frame.field(0)) && link.isReceiver == isReceiver) {
        byTheirs.put((int) frame.number(1), link);
        link.attached(frame);
        return;
      }
    }
    if (!isOver) {
      throw new IllegalStateException("the broker attached what nobody asked for: " + frame);
    }
  }

  private void flowed(Frame frame) {
    outgoingLimit = Wire.number(frame.field(0), 0) + frame.number(1);
    if (frame.field(4) == null) {
      links.values().forEach(Link::sendWaiting);
      return;
    }
    var link = byTheirs.get((int) frame.number(4));
    if (link != null) {
      link.flow(frame);
    }
  }

  private void transferred(Frame frame) {
    if (!hasBegun || incoming >= incomingLimit) {
      throw new IllegalStateException("the broker sends beyond the window of a session");
    }
    incoming++;
    var link = byTheirs.get((int) frame.number(0));
    if (link == null) {
      throw new IllegalStateException("a transfer for no link: " + frame);
    }
    link.transfer(frame);
    if (!isOver) {
      openWindow();
    }
  }

  private void disposed(Frame frame) {
    var first = frame.number(1);
    var last = Wire.number(frame.field(2), first);
    for (var id = first; id <= last; id++) {
      if (frame.truth(0)) {
        settled(id, (Wire.Described) Objects.requireNonNull(frame.field(4)));
      } else {
        var told = settling.remove(id);
        if (told != null) {
          told.answered().accept(id, (Wire.Described) Objects.requireNonNull(frame.field(4)));
        }
      }
    }
  }

  private void settled(long id, Wire.Described outcome) {
    var of = sent.remove(id);
    if (of != null) {
      of.listener().settled(outcome);
    } else if (!forgotten.remove(id)) {
      throw new IllegalStateException("delivery " + id + " is settled twice, or never was");
    }
  }

  private void detached(Frame frame) {
    var link = byTheirs.remove((int) frame.number(0));
    if (link == null) {
      throw new IllegalStateException("the broker detached no link: " + frame);
    }
    if (!link.isOver()) {
      detach(link, frame.truth(1));
    }
    links.remove(link.handle);
    forget(link);
    link.end((Wire.Described) frame.field(2));
  }

  /** What was under way on it is in doubt. */
  private void forget(Link link) {
    new TreeMap<>(sent)
        .forEach(
            (id, delivery) -> {
              if (delivery.on() == link) {
                sent.remove(id);
                forgotten.add(id);
                delivery.listener().lost();
              }
            });
    new TreeMap<>(settling)
        .forEach(
            (id, settled) -> {
              if (settled.on() == link) {
                settling.remove(id);
                settled.answered().accept(id, Settling.LOST);
              }
            });
  }

  /** It is gone, and all that was under way on it in doubt. */
  void over(Wire.@Nullable Described error) {
    if (isOver) {
      return;
    }
    isOver = true;
    for (var link : List.copyOf(links.values())) {
      forget(link);
      link.end(error);
    }
  }
}

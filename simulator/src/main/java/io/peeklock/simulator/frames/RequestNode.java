package io.peeklock.simulator.frames;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A pair of links to a node that answers requests. */
final class RequestNode {
  private static final int CREDIT = 50;

  private final Link requests;
  private final Link replies;
  private final String replyTo;
  private final TreeMap<Long, Listener> open = new TreeMap<>();
  private long ids;

  /** Who is told the answer. */
  interface Listener {
    void replied(Reply reply);

    /** There is no such node, or not for this client. */
    void refused(String why);

    /** It may have been done. */
    void lost();
  }

  /**
   * Attaches both.
   *
   * @param name that no other links of the connection have
   */
  RequestNode(Session session, String name, String address) {
    this.replyTo = name + "-replies";
    var ends = new Ends();
    this.replies =
        session.attach(
            replyTo, true, 1, 0, Terminus.source(address), Terminus.target(replyTo), null, ends);
    this.requests =
        session.attach(
            name + "-requests",
            false,
            0,
            0,
            Terminus.source(name),
            Terminus.target(address),
            null,
            ends);
  }

  boolean isOver() {
    return requests.isOver() || replies.isOver();
  }

  /**
   * Asks.
   *
   * @param state of the transfer; null for none
   */
  void ask(
      Map<String, ?> properties, @Nullable Object body, @Nullable Object state, Listener listener) {
    var id = ++ids;
    open.put(id, listener);
    var message = Messages.request(id, replyTo, properties, body);
    requests.send(new Outgoing(message, 0, false, state, new Transfer(id)));
  }

  /** A request on its way. */
  private final class Transfer implements Outgoing.Listener {
    private final long id;

    Transfer(long id) {
      this.id = id;
    }

    @Override
    public void settled(Wire.Described outcome) {
      // What counts is the reply.
    }

    @Override
    public void unsent(Wire.@Nullable Described error) {
      var listener = open.remove(id);
      if (listener != null && error != null) {
        listener.refused(Refusals.why(error));
      } else if (listener != null) {
        listener.lost();
      }
    }

    @Override
    public void lost() {
      var listener = open.remove(id);
      if (listener != null) {
        listener.lost();
      }
    }
  }

  private final class Ends implements Link.Listener {
    @Override
    public void attached(Link link, Frame attach) {
      if (link.isReceiver) {
        link.addCredit(CREDIT);
      }
    }

    @Override
    public void delivered(Link link, Incoming delivery) {
      link.addCredit(1);
      var message = Messages.Sections.of(delivery.message());
      var id = Wire.number(Objects.requireNonNull(message.correlationId()));
      var listener = open.remove(id);
      if (listener != null) {
        listener.replied(Reply.of(message));
      }
    }

    /** Without its replies nobody is told of those that were sent. */
    @Override
    public void ended(Link link, Wire.@Nullable Described error) {
      requests.detach(true);
      replies.detach(true);
      new TreeMap<>(open)
          .forEach(
              (id, listener) -> {
                open.remove(id);
                listener.lost();
              });
    }
  }
}

package io.peeklock.conformance.speed;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.Symbol;
import io.peeklock.conformance.raw.Unsigned;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Receives on one link, or on one per session, as fast as completions are confirmed. */
final class Receiving implements AutoCloseable {
  private static final int CREDIT = 1_000;
  private static final int SETTLED_AT_ONCE = 100;
  private static final Described COMPLETED = Described.list(0x24);

  private final RawConnection connection;
  private final Map<Long, Link> links = new HashMap<>();
  private final int credit;
  private long received;
  private long settled;
  private long confirmed;

  /** A link by the broker's handle. */
  private static final class Link {
    private final long handle;
    private long received;
    private long granted;

    Link(long handle) {
      this.handle = handle;
    }
  }

  private Receiving(int port, int credit) throws IOException {
    this.connection = RawConnection.ready(port);
    this.credit = credit;
  }

  /** Of an entity without sessions. */
  static Receiving plain(int port, String entity) throws IOException {
    var receiving = new Receiving(port, CREDIT);
    receiving.attach(RawLinks.receiver(0, entity), 0);
    return receiving;
  }

  /** Holds the first so many sessions of an entity, each on a link of its own. */
  static Receiving sessions(int port, String entity, int sessions) throws IOException {
    var receiving = new Receiving(port, Math.max(1, CREDIT / sessions));
    for (var i = 0; i < sessions; i++) {
      receiving.attach(attach(i, entity, Sending.session(i)), i);
    }
    return receiving;
  }

  private void attach(Described attach, long handle) throws IOException {
    connection.send(0, attach);
    connection.flush();
    var answer = connection.await(RawConnection.ATTACH);
    if (answer.field(5) == null) {
      throw new IOException("refused: " + connection.await(RawConnection.DETACH));
    }
    links.put(answer.number(1, -1), new Link(handle));
  }

  /** An attach of a receiver of a session, or of any where none is named. */
  static Described attach(long handle, String entity, @Nullable String session) {
    var filter = new HashMap<Symbol, @Nullable Object>();
    filter.put(new Symbol("com.microsoft:session-filter"), session);
    return Described.list(
        RawConnection.ATTACH,
        "s" + handle + "-" + entity,
        Unsigned.uint(handle),
        true,
        Unsigned.ubyte(0),
        Unsigned.ubyte(1),
        Described.list(0x28, entity, null, null, null, null, null, null, filter),
        Described.list(0x29, "here"));
  }

  /** Completes so many. */
  void take(long count) throws IOException {
    var end = received + count;
    for (var link : links.values()) {
      grant(link);
    }
    while (confirmed < end) {
      if (!connection.readable()) { // what was written meanwhile goes out before we wait
        connection.flush();
      }
      var frame = connection.readFrame();
      var performative = frame.performative();
      if (performative == null) {
        continue;
      }
      switch ((int) frame.code()) {
        case (int) RawConnection.TRANSFER -> {
          received(performative.number(0, -1));
          if (received - settled == SETTLED_AT_ONCE || received == end) {
            complete();
          }
        }
        case (int) RawConnection.DISPOSITION -> {
          var first = performative.number(1, 0);
          confirmed += performative.number(2, first) - first + 1;
        }
        case (int) RawConnection.FLOW -> {}
        default -> throw new IOException("the broker gave up: " + performative);
      }
    }
  }

  private void received(long brokersHandle) throws IOException {
    var link = links.get(brokersHandle);
    if (link == null) {
      throw new IOException("a message on no link: " + brokersHandle);
    }
    received++;
    link.received++;
    if (link.granted - link.received < credit / 2) {
      grant(link);
    }
  }

  private void grant(Link link) throws IOException {
    link.granted = link.received + credit;
    connection.send(0, RawLinks.flow(link.handle, link.received, credit, false));
  }

  private void complete() throws IOException {
    connection.send(
        0,
        Described.list(
            RawConnection.DISPOSITION,
            true,
            Unsigned.uint(settled),
            Unsigned.uint(received - 1),
            false,
            COMPLETED));
    settled = received;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}

package io.peeklock.conformance.crowd;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.Unsigned;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Connects, attaches and detaches until the deadline, one connection after the other. Some move a
 * message, and they end in different ways, most of them rude.
 */
final class Churner implements Callable<Churner.Tally> {
  /** Gets no message, which a receiver that is gone could still be given. */
  private static final String EMPTY = "empty";

  static final List<String> QUEUES = List.of(EMPTY, "churn-0", "churn-1", "churn-2", "churn-3");

  private static final int TURNS = 10;
  private static final int LINKS_A_TURN = 4;
  private static final int MESSAGE_EVERY = 8;

  private final int port;
  private final String queue;
  private final long deadlineNanos;
  private long connects;
  private long attaches;
  private long messages;

  /** What was done. */
  record Tally(long connects, long attaches, long messages) {
    Tally plus(Tally more) {
      return new Tally(
          connects + more.connects, attaches + more.attaches, messages + more.messages);
    }

    @Override
    public String toString() {
      return connects + " connects, " + attaches + " attaches, " + messages + " messages";
    }
  }

  /** How a connection ends. */
  private enum Farewell {
    CLOSE,
    DROP,
    DROP_WITH_LINKS_AND_CREDIT,
    DROP_INSIDE_A_FRAME,
    END_AND_DROP
  }

  Churner(int port, int number, long deadlineNanos) {
    this.port = port;
    this.queue = "churn-" + number;
    this.deadlineNanos = deadlineNanos;
  }

  @Override
  public Tally call() throws IOException {
    var farewells = Farewell.values();
    while (System.nanoTime() < deadlineNanos) {
      try (var connection = RawConnection.ready(port)) {
        for (var turn = 0; turn < TURNS; turn++) {
          attachAndDetach(connection);
        }
        if (connects % MESSAGE_EVERY == 0) { // more of them would churn the disk
          moveAMessage(connection);
        }
        leave(connection, farewells[(int) (connects++ % farewells.length)]);
      }
    }
    return new Tally(connects, attaches, messages);
  }

  private void attachAndDetach(RawConnection connection) throws IOException {
    for (var handle = 0; handle < LINKS_A_TURN; handle += 2) {
      connection.send(0, RawLinks.sender(handle, queue));
      connection.send(0, RawLinks.receiver(handle + 1, queue));
      connection.send(0, RawLinks.flow(handle + 1, 0, 10, false));
    }
    connection.flush();
    for (var i = 0; i < LINKS_A_TURN; i++) {
      connection.await(RawConnection.ATTACH);
    }
    for (var handle = 0; handle < LINKS_A_TURN; handle++) {
      connection.send(0, Described.list(RawConnection.DETACH, Unsigned.uint(handle), true, null));
    }
    connection.flush();
    for (var i = 0; i < LINKS_A_TURN; i++) {
      connection.await(RawConnection.DETACH);
    }
    attaches += LINKS_A_TURN;
  }

  /** Own queue, and nobody else's message is in it: what is sent is what comes. */
  private void moveAMessage(RawConnection connection) throws IOException {
    RawLinks.attached(connection, RawLinks.sender(0, queue));
    RawLinks.attached(connection, RawLinks.taker(1, queue));
    RawMember.send(connection, 0, "churn-" + connects, 100);
    connection.send(0, RawLinks.flow(1, 0, 1, false));
    connection.flush();
    var came = RawMember.nextDelivery(connection).receipt();
    if (!came.equals(new Receipt("churn-" + connects, 0))) {
      throw new IOException("message " + connects + " was due, not " + came);
    }
    attaches += 2;
    messages++;
  }

  private void leave(RawConnection connection, Farewell farewell) throws IOException {
    switch (farewell) {
      case CLOSE -> {
        connection.send(0, Described.list(RawConnection.CLOSE, new Object[] {null}));
        connection.flush();
        connection.awaitHangUp();
      }
      case DROP -> {
        // The socket is closed by whoever opened it.
      }
      case DROP_WITH_LINKS_AND_CREDIT -> {
        RawLinks.attached(connection, RawLinks.receiver(2, EMPTY));
        connection.send(0, RawLinks.flow(2, 0, 100, false));
        connection.flush();
        attaches++;
      }
      case DROP_INSIDE_A_FRAME -> {
        connection.write(ByteBuffer.allocate(10).putInt(60_000).putInt(0x02000000).array());
        connection.flush();
      }
      case END_AND_DROP -> {
        connection.send(0, Described.list(RawConnection.END, new Object[] {null}));
        connection.flush();
        connection.await(RawConnection.END);
      }
    }
  }
}

package io.peeklock.conformance.backlog;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.Frame;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.Unsigned;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Receives and completes as fast as completions are confirmed, and checks the order. */
final class Emptier implements AutoCloseable {
  private static final int CREDIT = 1_000;
  private static final int SETTLED_AT_ONCE = 100;
  private static final Described COMPLETED = Described.list(0x24);

  private final RawConnection connection;
  private long received;
  private long granted;
  private long settled;
  private long confirmed;

  Emptier(int port, String queue) throws IOException {
    connection = RawConnection.ready(port);
    RawLinks.attached(connection, RawLinks.receiver(0, queue));
  }

  /** Completes so many, which must have the numbers from here on; asks for no more than these. */
  void take(long firstNumber, long count) throws IOException {
    var end = received + count;
    var number = firstNumber;
    while (confirmed < end) {
      if (granted < end && granted - received < CREDIT / 2) {
        granted = Math.min(end, received + CREDIT);
        connection.send(0, RawLinks.flow(0, received, granted - received, false));
        connection.flush();
      }
      var frame = connection.readFrame();
      var performative = frame.performative();
      if (performative == null) {
        continue;
      }
      switch ((int) frame.code()) {
        case (int) RawConnection.TRANSFER -> {
          check(frame, number++);
          received++;
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

  private static void check(Frame transfer, long number) throws IOException {
    var payload = ByteBuffer.wrap(transfer.payload());
    var found = payload.getLong(payload.limit() - Filler.BODY_BYTES);
    if (found != number) {
      throw new IOException("message " + number + " was due, " + found + " came");
    }
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
    connection.flush();
    settled = received;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}

package io.peeklock.conformance.crowd;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** A raw connection with a sender on handle 0 and a peek-lock receiver on handle 1. */
final class RawMember implements Member {
  static final Described ACCEPTED = Described.list(0x24);

  private final RawConnection connection;
  private final int bodyBytes;
  private long received;

  private RawMember(RawConnection connection, int bodyBytes) {
    this.connection = connection;
    this.bodyBytes = bodyBytes;
  }

  static RawMember join(int port, String queue) throws IOException {
    return join(port, queue, 0);
  }

  /** One whose bodies are filled up with blanks to this size. */
  static RawMember join(int port, String queue, int bodyBytes) throws IOException {
    var connection = RawConnection.ready(port);
    RawLinks.attached(connection, RawLinks.sender(0, queue));
    RawLinks.attached(connection, RawLinks.receiver(1, queue));
    return new RawMember(connection, bodyBytes);
  }

  @Override
  public Receipt roundTrip(String id) throws IOException {
    send(connection, 0, id, bodyBytes);
    connection.send(0, RawLinks.flow(1, received, 1, false));
    connection.flush();
    var delivery = nextDelivery(connection);
    received++;
    complete(connection, delivery.id());
    return delivery.receipt();
  }

  /** A delivery as it came. */
  record Delivery(long id, RawMessage message) {
    Receipt receipt() {
      var body = new String(message.data(), StandardCharsets.UTF_8);
      return new Receipt(body.strip(), message.deliveryCount());
    }
  }

  /** Sends one and waits until it is accepted. */
  static void send(RawConnection connection, long handle, String id, int bodyBytes)
      throws IOException {
    var text = id.getBytes(StandardCharsets.UTF_8);
    var body = Arrays.copyOf(text, Math.max(text.length, bodyBytes));
    Arrays.fill(body, text.length, body.length, (byte) ' ');
    RawLinks.transfer(connection, handle, false, RawMessage.bytes(id, Map.of(), body));
    connection.flush();
    expectAccepted(connection);
  }

  /** Waits for the next delivery, in as many frames as it takes. */
  static Delivery nextDelivery(RawConnection connection) throws IOException {
    var payload = new ByteArrayOutputStream();
    var id = -1L;
    while (true) {
      var frame = connection.readFrame();
      var performative = frame.performative();
      if (performative == null || frame.code() == RawConnection.FLOW) {
        continue;
      }
      if (frame.code() != RawConnection.TRANSFER) {
        throw new IOException("a delivery was due, not " + performative);
      }
      id = id < 0 ? performative.number(1, -1) : id;
      payload.writeBytes(frame.payload());
      if (!performative.truth(5)) {
        return new Delivery(id, RawMessage.parse(payload.toByteArray()));
      }
    }
  }

  /** Completes a delivery and waits until that is accepted. */
  static void complete(RawConnection connection, long deliveryId) throws IOException {
    connection.send(0, RawLinks.settle(deliveryId, false, ACCEPTED));
    connection.flush();
    expectAccepted(connection);
  }

  private static void expectAccepted(RawConnection connection) throws IOException {
    var answer = connection.await(RawConnection.DISPOSITION);
    if (!ACCEPTED.equals(answer.field(4))) {
      throw new IOException("not accepted: " + answer);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}

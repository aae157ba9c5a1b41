package io.peeklock.conformance.kill;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.Frame;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A receiving link: keeps its credit up and puts deliveries of several frames together. */
final class Deliveries {
  /** How many messages can be on their way to one client. */
  static final int CREDIT = 50;

  private final RawConnection connection;
  private final long handle;
  private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
  private long deliveryId;
  private long received;
  private long credit;

  /** One message in hand. */
  record Delivery(long id, RawMessage message) {}

  Deliveries(RawConnection connection, long handle, Described attach) throws IOException {
    this(connection, handle);
    RawLinks.attached(connection, attach);
  }

  /** Of a link that is attached. */
  Deliveries(RawConnection connection, long handle) {
    this.connection = connection;
    this.handle = handle;
  }

  /** Gives credit when it runs low. */
  void topUp() throws IOException {
    if (credit < CREDIT / 2) {
      credit = CREDIT;
      connection.send(0, RawLinks.flow(handle, received, credit, false));
    }
  }

  /** Asks for whatever is there; the broker's flow tells when that was all. */
  void drain(long most) throws IOException {
    credit = most;
    connection.send(0, RawLinks.flow(handle, received, most, true));
    connection.flush();
  }

  /** After a drain: the credit that was not used is gone. */
  void drained(Described flow) {
    received = flow.number(5, received);
    credit = 0;
  }

  /** Takes a transfer in; the delivery once it is whole. */
  @Nullable Delivery take(Frame frame, Described transfer) {
    if (transfer.field(1) != null) {
      deliveryId = transfer.number(1, 0);
      payload.reset();
    }
    payload.writeBytes(frame.payload());
    if (transfer.truth(5)) {
      return null;
    }
    received++;
    credit--;
    return new Delivery(deliveryId, RawMessage.parse(payload.toByteArray()));
  }
}

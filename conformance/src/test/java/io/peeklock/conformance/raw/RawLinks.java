package io.peeklock.conformance.raw;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Performatives for links on channel 0, and requests to management nodes. */
public final class RawLinks {
  private static final int FRAME_PAYLOAD = 60_000;

  private RawLinks() {}

  /** An attach of a sender to this address. */
  public static Described sender(long handle, String address) {
    return attach("s" + handle + "-" + address, handle, false, 0, "here", address);
  }

  /** An attach of a peek-lock receiver. */
  public static Described receiver(long handle, String address) {
    return attach("r" + handle + "-" + address, handle, true, 0, address, "here");
  }

  /** An attach of a receive-and-delete receiver. */
  public static Described taker(long handle, String address) {
    return attach("t" + handle + "-" + address, handle, true, 1, address, "here");
  }

  private static Described attach(
      String name, long handle, boolean receiver, int settleMode, String source, String target) {
    return Described.list(
        RawConnection.ATTACH,
        name,
        Unsigned.uint(handle),
        receiver,
        Unsigned.ubyte(settleMode),
        Unsigned.ubyte(receiver && settleMode == 0 ? 1 : 0),
        Described.list(0x28, source),
        Described.list(0x29, target),
        null,
        null,
        receiver ? null : Unsigned.uint(0));
  }

  /** Attaches and waits for the answer; fails when the link is refused. */
  public static void attached(RawConnection connection, Described attach) throws IOException {
    connection.send(0, attach);
    connection.flush();
    var answer = connection.await(RawConnection.ATTACH);
    if (answer.field(5) == null || answer.field(6) == null) {
      throw new IOException("refused: " + connection.await(RawConnection.DETACH));
    }
  }

  /** Credit for a receiving link, counted from a delivery count. */
  public static Described flow(long handle, long deliveryCount, long credit, boolean drain) {
    return Described.list(
        RawConnection.FLOW,
        Unsigned.uint(0),
        Unsigned.uint(Integer.MAX_VALUE),
        Unsigned.uint(0),
        Unsigned.uint(Integer.MAX_VALUE),
        Unsigned.uint(handle),
        Unsigned.uint(deliveryCount),
        Unsigned.uint(credit),
        null,
        drain);
  }

  /** Writes a message as one delivery in as many frames as it takes; returns its delivery id. */
  public static long transfer(
      RawConnection connection, long handle, boolean settled, byte[] message) throws IOException {
    var deliveryId = connection.takeDeliveryId();
    for (var start = 0; start == 0 || start < message.length; start += FRAME_PAYLOAD) {
      var end = Math.min(message.length, start + FRAME_PAYLOAD);
      connection.send(
          0,
          Described.list(
              RawConnection.TRANSFER,
              Unsigned.uint(handle),
              Unsigned.uint(deliveryId),
              Long.toString(deliveryId).getBytes(java.nio.charset.StandardCharsets.US_ASCII),
              Unsigned.uint(0),
              settled,
              end < message.length),
          java.util.Arrays.copyOfRange(message, start, end));
    }
    return deliveryId;
  }

  /** A receiver's disposition of one delivery. */
  public static Described settle(long deliveryId, boolean settled, Described outcome) {
    return Described.list(
        RawConnection.DISPOSITION,
        true,
        Unsigned.uint(deliveryId),
        Unsigned.uint(deliveryId),
        settled,
        outcome);
  }

  /**
   * Asks a management node or {@code $cbs} and waits for the reply. Uses handles 100 and 101, which
   * it attaches and detaches; nothing else may be going on.
   */
  public static RawMessage ask(
      RawConnection connection, String node, Map<String, Object> properties, @Nullable Object body)
      throws IOException {
    attached(connection, sender(100, node));
    attached(connection, attach("reply", 101, true, 0, node, "reply-here"));
    connection.send(0, flow(101, 0, 1, false));
    transfer(connection, 100, true, RawMessage.request(1, "reply-here", properties, body));
    connection.flush();
    var reply = RawMessage.parse(delivery(connection));
    for (var handle : List.of(100L, 101L)) {
      connection.send(0, Described.list(RawConnection.DETACH, Unsigned.uint(handle), true, null));
    }
    connection.flush();
    connection.await(RawConnection.DETACH);
    connection.await(RawConnection.DETACH);
    return reply;
  }

  /** The payload of the next delivery. */
  private static byte[] delivery(RawConnection connection) throws IOException {
    var payload = new ByteArrayOutputStream();
    while (true) {
      var frame = connection.readFrame();
      var performative = frame.performative();
      if (performative == null || frame.code() == RawConnection.FLOW) {
        continue;
      }
      if (frame.code() != RawConnection.TRANSFER) {
        throw new IOException("a reply was due, not " + performative);
      }
      payload.writeBytes(frame.payload());
      if (!performative.truth(5)) {
        return payload.toByteArray();
      }
    }
  }
}

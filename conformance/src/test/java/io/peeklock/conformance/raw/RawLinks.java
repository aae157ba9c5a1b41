package io.peeklock.conformance.raw;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Performatives for links on channel 0, and requests to management nodes. */
public final class RawLinks {
  private static final int FRAME_PAYLOAD = 60_000;
  private static final Symbol SESSION_FILTER = new Symbol("com.microsoft:session-filter");

  private RawLinks() {}

  /** An attach of a sender to this address. */
  public static Described sender(long handle, String address) {
    return attach("s" + handle + "-" + address, handle, false, 0, "here", address);
  }

  /** An attach of a peek-lock receiver. */
  public static Described receiver(long handle, String address) {
    return attach("r" + handle + "-" + address, handle, true, 0, address, "here");
  }

  /**
   * An attach of the receiver of a management node's replies.
   *
   * @param replyTo what requests name as the place for their replies
   */
  public static Described replies(long handle, String node, String replyTo) {
    return attach("replies" + handle + "-" + node, handle, true, 1, node, replyTo);
  }

  /** An attach of a receive-and-delete receiver. */
  public static Described taker(long handle, String address) {
    return attach("t" + handle + "-" + address, handle, true, 1, address, "here");
  }

  /**
   * An attach of a receiver of one message session.
   *
   * @param name of the link
   * @param session its id; null for any that is free and has messages
   * @param waitMillis how long to wait for any
   * @param deletes whether it receives and deletes
   */
  public static Described sessionReceiver(
      String name,
      long handle,
      String address,
      @Nullable String session,
      long waitMillis,
      boolean deletes) {
    var filter = new LinkedHashMap<Object, @Nullable Object>();
    filter.put(SESSION_FILTER, session);
    return Described.list(
        RawConnection.ATTACH,
        name,
        Unsigned.uint(handle),
        true,
        Unsigned.ubyte(deletes ? 1 : 0),
        Unsigned.ubyte(deletes ? 0 : 1),
        Described.list(0x28, address, null, null, null, null, null, null, filter),
        Described.list(0x29, "here"),
        null,
        null,
        null,
        null,
        null,
        null,
        Map.of(new Symbol("com.microsoft:timeout"), Unsigned.uint(waitMillis)));
  }

  /** The session that the answer to such an attach names; null when it was refused. */
  public static @Nullable String sessionOf(Described attach) {
    return attach.field(5) instanceof Described source
            && source.field(7) instanceof Map<?, ?> filter
            && filter.get(SESSION_FILTER) instanceof String session
        ? session
        : null;
  }

  /** An attach of a sender to the coordinator of transactions. */
  public static Described coordinator(long handle) {
    return Described.list(
        RawConnection.ATTACH,
        "coordinator-" + handle,
        Unsigned.uint(handle),
        false,
        null,
        null,
        Described.list(0x28, "here"),
        Described.list(0x30),
        null,
        null,
        Unsigned.uint(0));
  }

  /** The state of a delivery, or its outcome, within a transaction. */
  public static Described within(byte[] transaction, @Nullable Described outcome) {
    return Described.list(0x34, transaction, outcome);
  }

  /** Ends a link. */
  public static Described detach(long handle) {
    return Described.list(RawConnection.DETACH, Unsigned.uint(handle), true, null);
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
    return transfer(connection, handle, settled, message, null);
  }

  /** The same with a state, as deliveries within a transaction have. */
  public static long transfer(
      RawConnection connection,
      long handle,
      boolean settled,
      byte[] message,
      @Nullable Described state)
      throws IOException {
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
              end < message.length,
              null,
              state),
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
      connection.send(0, detach(handle));
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

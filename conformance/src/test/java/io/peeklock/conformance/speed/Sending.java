package io.peeklock.conformance.speed;

import io.peeklock.conformance.raw.AmqpWriter;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends as fast as messages are accepted. Each has an id that no other has, and one of some session
 * ids, whatever it is sent to: so the bytes are the same everywhere. They are made once; only
 * numbers in them change.
 */
final class Sending implements AutoCloseable {
  private static final int BODY_BYTES = 1_024;
  private static final int WINDOW = 1_000;
  private static final int BURST = 100;
  private static final int HEAD_BYTES = 8 + 3 + 3 + 1 + 1;
  private static final int TAG_AT = HEAD_BYTES + 4 + 2;
  private static final int DIGITS = 16;
  private static final String ID = "i".repeat(DIGITS);
  private static final String SESSION = "s".repeat(DIGITS);
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final AtomicLong IDS = new AtomicLong();

  private final RawConnection connection;
  private final ByteBuffer frame;
  private final int idAt;
  private final int sessionAt;
  private long sent;
  private long answered;
  private long limit;

  Sending(int port, String entity) throws IOException {
    connection = RawConnection.ready(port);
    RawLinks.attached(connection, RawLinks.sender(0, entity));
    var message =
        AmqpWriter.bytes(
            Described.list(0x70, true),
            Described.list(0x73, ID, null, null, null, null, null, null, null, null, null, SESSION),
            Described.of(0x75, new byte[BODY_BYTES]));
    frame = ByteBuffer.allocate(TAG_AT + 4 + 3 + message.length);
    frame.putInt(frame.capacity()).put((byte) 2).put((byte) 0).putShort((short) 0);
    frame.put(new byte[] {0x00, 0x53, 0x14});
    frame.put(new byte[] {(byte) 0xc0, (byte) (TAG_AT + 4 + 3 - 8 - 5), 6});
    frame.put((byte) 0x43); // handle 0
    frame.put((byte) 0x70).putInt(0); // delivery id
    frame.put(new byte[] {(byte) 0xa0, 4}).putInt(0); // delivery tag
    frame.put(new byte[] {0x43, 0x42, 0x42}); // message format 0, not settled, no more frames
    frame.put(message);
    idAt = placeOf(ID);
    sessionAt = placeOf(SESSION);
  }

  private int placeOf(String text) {
    return new String(frame.array(), StandardCharsets.ISO_8859_1).indexOf(text);
  }

  /** How the n-th session is called. */
  static String session(long number) {
    var text = new byte[DIGITS];
    putHex(text, 0, number);
    return new String(text, StandardCharsets.US_ASCII);
  }

  private static void putHex(byte[] into, int at, long number) {
    for (var digit = 0; digit < DIGITS; digit++) {
      into[at + digit] = HEX[(int) (number >>> (4 * (DIGITS - 1 - digit))) & 15];
    }
  }

  /** Sends so many, to each of the first sessions in turn, and waits until all are accepted. */
  void send(long count, int sessions) throws IOException {
    var end = sent + count;
    while (answered < end) {
      for (var i = 0; i < BURST && sent < end && sent < limit && sent - answered < WINDOW; i++) {
        transfer(sessions);
      }
      connection.flush();
      if (sent == end || sent == limit || sent - answered >= WINDOW) {
        read();
      }
      while (connection.readable()) {
        read();
      }
    }
  }

  private void transfer(int sessions) throws IOException {
    frame.putInt(HEAD_BYTES, (int) sent).putInt(TAG_AT, (int) sent);
    putHex(frame.array(), idAt, IDS.incrementAndGet());
    putHex(frame.array(), sessionAt, sent % sessions);
    connection.write(frame.array());
    sent++;
  }

  private void read() throws IOException {
    var next = connection.readFrame();
    var performative = next.performative();
    if (performative == null) {
      return;
    }
    switch ((int) next.code()) {
      case (int) RawConnection.FLOW -> {
        if (performative.field(4) != null) {
          limit = performative.number(5, 0) + performative.number(6, 0);
        }
      }
      case (int) RawConnection.DISPOSITION -> {
        var first = performative.number(1, 0);
        answered += performative.number(2, first) - first + 1;
        if (!(performative.field(4) instanceof Described state) || state.code() != 0x24) {
          throw new IOException("a send was refused: " + performative);
        }
      }
      default -> throw new IOException("the broker gave up: " + performative);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}

package io.peeklock.conformance.backlog;

import io.peeklock.conformance.raw.AmqpWriter;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sends numbered messages as fast as they are accepted. The bytes of a transfer are made once; only
 * three numbers in them change.
 */
final class Filler implements AutoCloseable {
  /** Bytes of a body; its first eight are the message's number. */
  static final int BODY_BYTES = 1_024;

  private static final int WINDOW = 1_000;
  private static final int BURST = 100;
  private static final int DELIVERY_ID_AT = 8 + 3 + 3 + 1 + 1;
  private static final int TAG_AT = DELIVERY_ID_AT + 4 + 2;

  private final RawConnection connection;
  private final ByteBuffer frame;
  private final int numberAt;
  private long sent;
  private long answered;
  private long limit;

  Filler(int port, String queue) throws IOException {
    connection = RawConnection.ready(port);
    RawLinks.attached(connection, RawLinks.sender(0, queue));
    var message =
        AmqpWriter.bytes(Described.list(0x70, true), Described.of(0x75, new byte[BODY_BYTES]));
    frame = ByteBuffer.allocate(TAG_AT + 4 + 3 + message.length);
    frame.putInt(frame.capacity()).put((byte) 2).put((byte) 0).putShort((short) 0);
    frame.put(new byte[] {0x00, 0x53, 0x14});
    frame.put(new byte[] {(byte) 0xc0, (byte) (TAG_AT + 4 + 3 - 8 - 5), 6});
    frame.put((byte) 0x43); // handle 0
    frame.put((byte) 0x70).putInt(0); // delivery id
    frame.put(new byte[] {(byte) 0xa0, 4}).putInt(0); // delivery tag
    frame.put(new byte[] {0x43, 0x42, 0x42}); // message format 0, not settled, no more frames
    frame.put(message);
    numberAt = frame.capacity() - BODY_BYTES;
  }

  /** Sends messages with the numbers from here on, and waits until all are accepted. */
  void send(long firstNumber, long count) throws IOException {
    var end = sent + count;
    var number = firstNumber;
    while (answered < end) {
      for (var i = 0; i < BURST && sent < end && sent < limit && sent - answered < WINDOW; i++) {
        transfer(number++);
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

  private void transfer(long number) throws IOException {
    frame.putInt(DELIVERY_ID_AT, (int) sent).putInt(TAG_AT, (int) sent).putLong(numberAt, number);
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

package io.peeklock.conformance.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The same conversation over WebSocket: the request for it, and frames around the bytes. */
final class WebSocketWrap {
  private static final String REQUEST =
      """
      GET /$servicebus/websocket HTTP/1.1\r
      Host: localhost\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      Sec-WebSocket-Protocol: AMQPWSB10\r
      \r
      """;
  private static final int FINAL_BINARY = 0x82;
  private static final int MASKED = 0x80;
  private static final int[] FIRSTS = {
    0x00, 0x02, 0x80, 0x81, 0x82, 0x83, 0x88, 0x89, 0x8a, 0x8b, 0x92, 0xc2, 0x08, 0x09, 0xff
  };

  private final Random random;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  WebSocketWrap(Random random) {
    this.random = random;
  }

  /** One frame around each piece. */
  List<byte[]> soundly(List<byte[]> pieces) {
    var wrapped = new ArrayList<byte[]>();
    out.writeBytes(REQUEST.getBytes(StandardCharsets.US_ASCII));
    for (var inside : pieces) {
      frame(FINAL_BINARY, inside, 0, inside.length, inside.length, true);
      wrapped.add(out.toByteArray());
      out.reset();
    }
    return wrapped;
  }

  /** Frames of any size, some of them spoilt. */
  List<byte[]> around(List<byte[]> pieces) {
    var request = REQUEST.getBytes(StandardCharsets.US_ASCII);
    out.writeBytes(random.nextInt(8) == 0 ? new Spoiler(random).anyBytes(request) : request);
    var wrapped = new ArrayList<byte[]>();
    for (var piece : pieces) {
      around(piece);
      wrapped.add(out.toByteArray());
      out.reset();
    }
    return wrapped;
  }

  private void around(byte[] inside) {
    for (var at = 0; at < inside.length; ) {
      var most = random.nextInt(4) == 0 ? 200 : inside.length;
      var size = Math.min(inside.length - at, 1 + random.nextInt(most));
      if (random.nextInt(6) == 0) {
        aside(inside, at, size);
      }
      frame(FINAL_BINARY, inside, at, size, size, true);
      at += size;
    }
  }

  /** A frame that should not be there, or one of the sort that is allowed anywhere. */
  private void aside(byte[] inside, int at, int size) {
    var first = FIRSTS[random.nextInt(FIRSTS.length)];
    var most = random.nextInt(3) == 0 ? size : Math.min(size, 125);
    var lies = random.nextInt(4) == 0;
    long[] lengths = {0, 125, 126, 65_535, 65_536, 1L << 31, 1L << 32, Long.MAX_VALUE, -1};
    var length = lies ? lengths[random.nextInt(lengths.length)] : most;
    frame(first, inside, at, most, length, random.nextInt(8) != 0);
  }

  private void frame(int first, byte[] from, int at, int size, long length, boolean masked) {
    var flag = masked ? MASKED : 0;
    out.write(first);
    if (length >= 0 && length < 126 && random.nextInt(50) != 0) {
      out.write(flag | (int) length);
    } else if (length >= 0 && length < 1 << 16) {
      out.write(flag | 126);
      out.writeBytes(ByteBuffer.allocate(2).putShort((short) length).array());
    } else {
      out.write(flag | 127);
      out.writeBytes(ByteBuffer.allocate(8).putLong(length).array());
    }
    var mask = new byte[4];
    if (masked) {
      random.nextBytes(mask);
      out.writeBytes(mask);
    }
    for (var i = 0; i < size; i++) {
      out.write(from[at + i] ^ mask[i % 4]);
    }
  }
}

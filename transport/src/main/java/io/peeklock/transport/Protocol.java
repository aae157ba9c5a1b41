package io.peeklock.transport;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the first bytes of a connection say that it wants to speak (design.md 5). */
public enum Protocol {
  /** "AMQP"; which version follows is for the AMQP handler to judge. */
  AMQP,

  /** A TLS handshake record; what is inside is sniffed again. */
  TLS,

  /** An HTTP/1 request line; WebSocket begins so too. */
  HTTP,

  /** None of these. */
  UNKNOWN;

  private static final int LONGEST = 4;
  private static final byte[] AMQP_MAGIC = ascii("AMQP");
  private static final byte[] TLS_HANDSHAKE = {0x16, 0x03};
  private static final List<byte[]> HTTP_METHODS =
      List.of(
          ascii("GET "),
          ascii("PUT "),
          ascii("POST"),
          ascii("HEAD"),
          ascii("DELE"),
          ascii("PATC"),
          ascii("OPTI"),
          ascii("TRAC"),
          ascii("CONN"));

  /**
   * Judges the readable bytes without consuming them.
   *
   * @return null when more bytes are needed, at most four
   */
  static @Nullable Protocol of(ByteBuf bytes) {
    if (begins(bytes, TLS_HANDSHAKE)) {
      return bytes.readableBytes() >= TLS_HANDSHAKE.length ? TLS : null;
    }
    if (begins(bytes, AMQP_MAGIC)) {
      return bytes.readableBytes() >= LONGEST ? AMQP : null;
    }
    for (var method : HTTP_METHODS) {
      if (begins(bytes, method)) {
        return bytes.readableBytes() >= LONGEST ? HTTP : null;
      }
    }
    return UNKNOWN;
  }

  /** Whether all that is there, as far as it goes, agrees with a beginning. */
  private static boolean begins(ByteBuf bytes, byte[] beginning) {
    var known = Math.min(bytes.readableBytes(), beginning.length);
    for (var i = 0; i < known; i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != beginning[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

package io.peeklock.amqp.message;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Message ids for senders that gave none: a guid in its short form, 32 hex digits (amqp.md 4.3). A
 * random half for each process and a counter, so they are unique and cheap.
 */
final class GeneratedIds {
  /** Bytes of an id. */
  static final int BYTES = 32;

  private static final byte[] DIGITS = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };
  private static final long PREFIX = new SecureRandom().nextLong();
  private static final AtomicLong BLOCKS = new AtomicLong();
  private static final int BLOCK = 1 << 20;

  private long next;
  private long end;

  /** Puts the next id. */
  void put(ByteBuffer out) {
    if (next == end) {
      next = BLOCKS.getAndAdd(BLOCK);
      end = next + BLOCK;
    }
    putHex(out, PREFIX);
    putHex(out, next++);
  }

  private static void putHex(ByteBuffer out, long value) {
    for (var shift = 60; shift >= 0; shift -= 4) {
      out.put(DIGITS[(int) (value >>> shift) & 15]);
    }
  }
}

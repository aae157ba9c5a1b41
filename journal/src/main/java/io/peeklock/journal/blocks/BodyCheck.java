package io.peeklock.journal.blocks;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of a body: over its id and its bytes, so that another body is never taken for it.
 */
public final class BodyCheck {
  private BodyCheck() {}

  /** Consumes the buffer from position to limit. */
  public static int of(CRC32C check, long bodyId, ByteBuffer body) {
    check.reset();
    number(check, bodyId);
    check.update(body);
    return (int) check.getValue();
  }

  /** Eight bytes, lowest first. */
  public static void number(CRC32C check, long value) {
    for (var shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      check.update((int) (value >>> shift) & 0xFF);
    }
  }
}

package io.peeklock.journal.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * How the head of a file is laid out, little endian: what it is, a version, numbers of eight bytes,
 * zeros, and at its end a checksum over all before it.
 *
 * @param magic eight bytes that no other file begins with
 * @param bytes of the head
 */
record HeadLayout(long magic, int bytes) {
  static final int VERSION = 1;
  private static final int VERSION_AT = 8;
  private static final int NUMBERS_AT = 12;

  /** A head with these numbers. */
  ByteBuffer head(long... numbers) {
    var out = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(magic).putInt(VERSION);
    for (var number : numbers) {
      out.putLong(number);
    }
    seal(out, 0);
    return out.clear();
  }

  /** Begins a head at a place of a buffer, whose position stays; {@link #seal} ends it. */
  void begin(ByteBuffer out, int at) {
    out.putLong(at, magic).putInt(at + VERSION_AT, VERSION);
  }

  /** Sets one of the numbers of a head that begins at a place of a buffer. */
  static void put(ByteBuffer out, int at, int place, long number) {
    out.putLong(at + NUMBERS_AT + Long.BYTES * place, number);
  }

  /** Writes the checksum of a head that begins at a place of a buffer. */
  void seal(ByteBuffer out, int at) {
    out.putInt(at + checkedBytes(), checkOf(out, at));
  }

  /**
   * Whether there is an intact head at a place of a buffer, which has all its bytes.
   *
   * @param in little endian
   * @param file whose head it is, for people
   * @throws IOException when it is intact and of a version that is not known
   */
  boolean isAt(ByteBuffer in, int at, String file) throws IOException {
    if (in.getLong(at) != magic || in.getInt(at + checkedBytes()) != checkOf(in, at)) {
      return false;
    }
    var version = in.getInt(at + VERSION_AT);
    if (version != VERSION) {
      throw new IOException(
          file
              + " has format "
              + version
              + ", this version of Peeklock reads format "
              + VERSION
              + "; use the newer version that wrote it");
    }
    return true;
  }

  /** One of the numbers of a head that begins at a place of a buffer. */
  static long number(ByteBuffer in, int at, int place) {
    return in.getLong(at + NUMBERS_AT + Long.BYTES * place);
  }

  private int checkedBytes() {
    return bytes - Frame.CHECK_BYTES;
  }

  private int checkOf(ByteBuffer head, int at) {
    return Frame.checkOf(new CRC32C(), head, at, checkedBytes());
  }
}

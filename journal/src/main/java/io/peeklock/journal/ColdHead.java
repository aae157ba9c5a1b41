package io.peeklock.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a cold segment's file begins with. Bodies follow without gaps. It gets its name only when
 * all of it is on the disk, and is never written again.
 *
 * @param number cold segments count up
 * @param salt random; checkpoints repeat it, so that no other file passes for this one
 */
record ColdHead(long number, long salt) {
  static final int VERSION = 1;
  static final int BYTES = 32;
  private static final long MAGIC = 0x0A31_444C_434B_4C50L; // "PLKCLD1\n"
  private static final int CHECKED_BYTES = BYTES - Frame.CHECK_BYTES;

  ByteBuffer bytes() {
    var out = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(MAGIC).putInt(VERSION).putLong(number).putLong(salt);
    out.putInt(Frame.checkOf(new CRC32C(), out, 0, CHECKED_BYTES));
    return out.flip();
  }

  /**
   * Reads a head.
   *
   * @param in little endian; at least {@link #BYTES} from position 0
   * @return null when it is damaged
   * @throws IOException when it is intact and of a version that is not known
   */
  static @Nullable ColdHead read(ByteBuffer in, String file) throws IOException {
    if (in.getLong(0) != MAGIC
        || in.getInt(CHECKED_BYTES) != Frame.checkOf(new CRC32C(), in, 0, CHECKED_BYTES)) {
      return null;
    }
    var version = in.getInt(8);
    if (version != VERSION) {
      throw new IOException(
          file
              + " has format "
              + version
              + ", this version of Peeklock reads format "
              + VERSION
              + "; use the newer version that wrote it");
    }
    return new ColdHead(in.getLong(12), in.getLong(20));
  }
}

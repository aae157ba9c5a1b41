package io.peeklock.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a segment's file begins with. It is synced, and the folder too, before the first frame
 * follows it; so a file that is longer than its head has an intact head, or is damaged.
 *
 * @param number segments count up
 * @param firstIndex of the first frame
 * @param predecessor the last index before it; all of that was durable when this was written
 * @param firstBodyId no body in this segment has a lower id
 * @param term the leader's term that made it
 * @param salt random; repeated in every frame, so that neither stale blocks nor a client's bytes
 *     can pass for a frame
 */
record SegmentHead(
    long number, long firstIndex, long predecessor, long firstBodyId, long term, long salt) {
  static final int VERSION = 1;
  static final int BYTES = 64;
  private static final long MAGIC = 0x0A31_4745_534B_4C50L; // "PLKSEG1\n"
  private static final int CHECKED_BYTES = BYTES - 4;

  ByteBuffer bytes() {
    var out = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(MAGIC).putInt(VERSION);
    out.putLong(number).putLong(firstIndex).putLong(predecessor).putLong(firstBodyId);
    out.putLong(term).putLong(salt);
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
  static @Nullable SegmentHead read(ByteBuffer in, String file) throws IOException {
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
    return new SegmentHead(
        in.getLong(12),
        in.getLong(20),
        in.getLong(28),
        in.getLong(36),
        in.getLong(44),
        in.getLong(52));
  }
}

package io.peeklock.journal.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The fixed front of a frame, little endian. It has a checksum of its own, so that no length is
 * believed, and no memory taken, before it is known to be what was written. {@code
 * docs/internals/journal-format.md} has the layout.
 *
 * @param flags any of {@link #WATERMARK} and {@link #MARKED}
 * @param factsBytes bytes of the encoded facts
 * @param bodies how many bodies, large ones included
 * @param largeBodies how many of them are in files of their own
 * @param bodyBytes bytes of the bodies in the frame, with their checksums
 * @param durable the highest index known to be durable when this was written
 */
public record Frame(
    int flags,
    int factsBytes,
    int bodies,
    int largeBodies,
    long bodyBytes,
    long term,
    long index,
    long predecessor,
    long timeMillis,
    long durable,
    long firstBodyId) {
  static final int VERSION = 1;

  /** The flag of a frame without a batch, which only records up to where the log is durable. */
  static final int WATERMARK = 2;

  /** The flag of a log with a high-water mark: if the mark is missing, that is a loss. */
  static final int MARKED = 4;

  /** Bytes of this front. */
  public static final int BYTES = 96;

  /** A length in the table of a body that is in the next of the named files. */
  public static final int LARGE = 0xFFFF_FFFF;

  /** File id, length, and checksum of the checksums of a large body. */
  public static final int LARGE_BYTES = 20;

  public static final int CHECK_BYTES = 4;
  private static final int MAGIC = 0x464B4C50; // "PLKF"
  private static final int CHECKED_BYTES = BYTES - CHECK_BYTES;

  /** Bytes of everything before the bodies: this front, facts, table, and their checksum. */
  public long headBytes() {
    return BYTES + (long) factsBytes + tableBytes() + CHECK_BYTES;
  }

  long tableBytes() {
    return 4L * bodies + (long) LARGE_BYTES * largeBodies;
  }

  /** Bytes of the whole frame. */
  public long bytes() {
    return headBytes() + bodyBytes;
  }

  /** Whether the frame has no batch, but only a durable index. */
  public boolean isWatermark() {
    return (flags & WATERMARK) != 0;
  }

  /** Whether a high-water mark was kept when it was written. */
  public boolean isMarked() {
    return (flags & MARKED) != 0;
  }

  /** Writes this front at an offset of a little endian buffer, whose position stays. */
  public void write(ByteBuffer out, int at, long salt, CRC32C check) {
    out.putInt(at, MAGIC);
    out.put(at + 4, (byte) VERSION);
    out.put(at + 5, (byte) flags);
    out.putShort(at + 6, (short) 0);
    out.putLong(at + 8, salt);
    out.putInt(at + 16, factsBytes);
    out.putInt(at + 20, bodies);
    out.putInt(at + 24, largeBodies);
    out.putInt(at + 28, 0);
    out.putLong(at + 32, bodyBytes);
    out.putLong(at + 40, term);
    out.putLong(at + 48, index);
    out.putLong(at + 56, predecessor);
    out.putLong(at + 64, timeMillis);
    out.putLong(at + 72, durable);
    out.putLong(at + 80, firstBodyId);
    out.putInt(at + 88, 0);
    out.putInt(at + CHECKED_BYTES, checkOf(check, out, at, CHECKED_BYTES));
  }

  /** The checksum of a part of a buffer, whose position and limit stay. */
  public static int checkOf(CRC32C check, ByteBuffer buffer, int at, int bytes) {
    check.reset();
    check.update(buffer.slice(at, bytes));
    return (int) check.getValue();
  }

  /**
   * Reads a front.
   *
   * @param in little endian, with {@link #BYTES} bytes at the place
   * @return null when there is no intact front of this segment
   */
  public static @Nullable Frame read(ByteBuffer in, int at, long salt, CRC32C check) {
    if (!looksLikeOne(in, at, salt)
        || in.getInt(at + CHECKED_BYTES) != checkOf(check, in, at, CHECKED_BYTES)) {
      return null;
    }
    var frame =
        new Frame(
            in.get(at + 5),
            in.getInt(at + 16),
            in.getInt(at + 20),
            in.getInt(at + 24),
            in.getLong(at + 32),
            in.getLong(at + 40),
            in.getLong(at + 48),
            in.getLong(at + 56),
            in.getLong(at + 64),
            in.getLong(at + 72),
            in.getLong(at + 80));
    return frame.isPossible() ? frame : null;
  }

  /** Whether a front may be at this offset; cheap enough to call for every offset. */
  static boolean looksLikeOne(ByteBuffer in, int at, long salt) {
    return in.getInt(at) == MAGIC && in.getLong(at + 8) == salt;
  }

  /** The format version that an intact front names. */
  static int version(ByteBuffer in, int at) {
    return in.get(at + 4) & 0xFF;
  }

  private boolean isPossible() {
    return factsBytes >= 0
        && bodies >= 0
        && largeBodies >= 0
        && largeBodies <= bodies
        && bodyBytes >= 4L * (bodies - largeBodies)
        && bodyBytes < 1L << 40
        && headBytes() <= Integer.MAX_VALUE
        && index >= 0
        && firstBodyId >= 0;
  }
}

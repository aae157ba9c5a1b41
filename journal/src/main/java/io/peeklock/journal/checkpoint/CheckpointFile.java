package io.peeklock.journal.checkpoint;

import io.peeklock.journal.log.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The format of a checkpoint: a head, blocks, and an end with the number of blocks. The file gets
 * its name only when all of it is on the disk, so an incomplete one is damaged.
 */
public final class CheckpointFile {
  static final int VERSION = 2;

  /** The version before cold segments; everything else is the same. */
  public static final int OLDEST_VERSION = 1;

  static final int HEAD_BYTES = 32;
  public static final int FRONT_BYTES = 24;

  /** The segments that were there: number, first index and first body id of each. */
  static final int SEGMENTS = 1;

  /** Facts, and the locations of the bodies that they name. */
  static final int PART = 2;

  /** The end: the number of blocks before it. */
  public static final int END = 3;

  /** The cold segments that locations name: slot, number, bytes and salt of each. */
  static final int COLD = 4;

  private static final long MAGIC = 0x0A31_4B48_434B_4C50L; // "PLKCHK1\n"
  private static final int BLOCK_MAGIC = 0x424B_4C50; // "PLKB"
  private static final String SUFFIX = ".checkpoint";
  private static final String FRESH_SUFFIX = ".checkpoint.new";
  private static final String DAMAGED_SUFFIX = ".damaged";
  private static final int DIGITS = 19;

  private CheckpointFile() {}

  // ---- names

  /** The name of the checkpoint after this batch. */
  public static String nameOf(long index) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", index) + SUFFIX;
  }

  /** While it is written. */
  static String freshNameOf(long index) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", index) + FRESH_SUFFIX;
  }

  /** The name of a checkpoint that is set aside as damaged. */
  public static String damagedNameOf(String name) {
    return name + DAMAGED_SUFFIX;
  }

  /** Whether a file name is that of a complete checkpoint. */
  public static boolean isName(String file) {
    return file.length() == DIGITS + SUFFIX.length()
        && file.endsWith(SUFFIX)
        && file.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9');
  }

  /** Whether a file name is that of a checkpoint that was being written. */
  public static boolean isFreshName(String file) {
    return file.endsWith(FRESH_SUFFIX);
  }

  /** The index in a file's name. */
  public static long indexIn(String file) {
    return Long.parseLong(file, 0, DIGITS, 10);
  }

  // ---- bytes

  static ByteBuffer head(long index, long salt) {
    var out = ByteBuffer.allocateDirect(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(MAGIC).putInt(VERSION).putLong(index).putLong(salt);
    out.putInt(Frame.checkOf(new CRC32C(), out, 0, HEAD_BYTES - Frame.CHECK_BYTES));
    return out.flip();
  }

  /** The salt of a head with this index; null when it is damaged. */
  static @Nullable Long saltIn(ByteBuffer head, long index) {
    var intact =
        head.getLong(0) == MAGIC
            && head.getLong(12) == index
            && head.getInt(HEAD_BYTES - Frame.CHECK_BYTES)
                == Frame.checkOf(new CRC32C(), head, 0, HEAD_BYTES - Frame.CHECK_BYTES);
    return intact ? head.getLong(20) : null;
  }

  static int versionIn(ByteBuffer head) {
    return head.getInt(8);
  }

  /** Fills in the front of a block, whose payload follows up to the limit. */
  public static void seal(ByteBuffer block, int kind, long salt) {
    var payload = block.limit() - FRONT_BYTES;
    block.putInt(0, BLOCK_MAGIC).putInt(4, kind).putLong(8, salt).putInt(16, payload);
    block.putInt(20, checkOf(block, payload));
  }

  /** The bytes of a block's payload; -1 for a front of another file. */
  static int payloadIn(ByteBuffer front, long salt) {
    var intact = front.getInt(0) == BLOCK_MAGIC && front.getLong(8) == salt;
    return intact ? front.getInt(16) : -1;
  }

  static int kindIn(ByteBuffer front) {
    return front.getInt(4);
  }

  static boolean isIntact(ByteBuffer block, int payload) {
    return block.getInt(20) == checkOf(block, payload);
  }

  private static int checkOf(ByteBuffer block, int payload) {
    var check = new CRC32C();
    check.update(block.slice(0, FRONT_BYTES - Frame.CHECK_BYTES));
    check.update(block.slice(FRONT_BYTES, payload));
    return (int) check.getValue();
  }
}

package io.peeklock.journal.large;

import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.BodyCheck;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The format of a large body's file: the bytes, then a checksum for each piece of 256 KiB. The log
 * has the checksum of these.
 */
public final class LargeFormat {
  public static final String FOLDER = "large";

  /** Bytes that share one checksum. */
  public static final int PIECE_BYTES = BlockPool.BLOCK_BYTES;

  /** Bytes of a checksum in the table behind the body. */
  public static final int CHECK_BYTES = 4;

  private LargeFormat() {}

  /** The name of its file. */
  public static String nameOf(long fileId) {
    return FOLDER + "/" + plainNameOf(fileId);
  }

  /** The file's name without the folder. */
  public static String plainNameOf(long fileId) {
    return String.format(Locale.ROOT, "%016x.body", fileId);
  }

  /** Bytes of a piece of a body. */
  public static int bytesOf(int piece, long length) {
    return (int) Math.min(PIECE_BYTES, length - (long) piece * PIECE_BYTES);
  }

  /** How many pieces a body has. */
  static int piecesOf(long length) {
    return (int) ((length + PIECE_BYTES - 1) / PIECE_BYTES);
  }

  /** Bytes of the file of a body. */
  public static long fileBytes(long length) {
    return length + (long) CHECK_BYTES * piecesOf(length);
  }

  /** The checksum of a piece, over its file, its place and its bytes. */
  public static int checkOf(CRC32C check, long fileId, int piece, ByteBuffer bytes) {
    check.reset();
    BodyCheck.number(check, fileId);
    BodyCheck.number(check, piece);
    check.update(bytes);
    return (int) check.getValue();
  }

  /** Encodes the table of checksums, which follows the body in the file. */
  public static ByteBuffer tableOf(int[] checks, int count) {
    var table = ByteBuffer.allocateDirect(CHECK_BYTES * count).order(ByteOrder.LITTLE_ENDIAN);
    for (var i = 0; i < count; i++) {
      table.putInt(checks[i]);
    }
    return table.flip();
  }

  /** The checksum of such a table. */
  public static int checkOfTable(ByteBuffer table) {
    var check = new CRC32C();
    check.update(table.duplicate());
    return (int) check.getValue();
  }
}

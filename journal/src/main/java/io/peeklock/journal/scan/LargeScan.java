package io.peeklock.journal.scan;

import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.log.SegmentReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads a large body from its file, piece by piece, and finds its damage. */
public final class LargeScan implements Closeable {
  private static final int ID_DIGITS = 16;
  private static final String SUFFIX = ".body";

  private final SegmentReader reader;
  private final long fileId;
  private final long length;
  private final int pieces;

  /** Reads a file, whose name has its file id. */
  public LargeScan(DiskFile from, String name) throws IOException {
    this.reader = new SegmentReader(from);
    this.fileId = fileIdIn(name);
    // Each piece takes its bytes and a checksum, also the last one, which may be shorter.
    var whole = (long) LargeFormat.PIECE_BYTES + LargeFormat.CHECK_BYTES;
    this.pieces = (int) ((reader.size() + whole - 1) / whole);
    this.length = Math.max(0, reader.size() - (long) LargeFormat.CHECK_BYTES * pieces);
  }

  /** Whether a file name is that of a large body. */
  public static boolean isName(String name) {
    var at = name.lastIndexOf('/') + 1;
    return name.length() == at + ID_DIGITS + SUFFIX.length()
        && name.endsWith(SUFFIX)
        && name.chars().skip(at).limit(ID_DIGITS).allMatch(c -> Character.digit(c, 16) >= 0);
  }

  /** The number of a large body's file, by its name. */
  public static long fileIdIn(String name) {
    var at = name.lastIndexOf('/') + 1;
    return Long.parseUnsignedLong(name, at, at + ID_DIGITS, 16);
  }

  /** Bytes of the body, as the file's size says. */
  public long length() {
    return length;
  }

  /**
   * The damage and its place, in words; null when the file is intact.
   *
   * @param expected the entry of the log; null when that is unknown
   * @param progress called with the number of further bytes read
   */
  public @Nullable String damage(CheckpointReader.@Nullable Large expected, LongConsumer progress)
      throws IOException {
    if (expected != null && expected.length() != length) {
      return "it has " + length + " bytes, the log says " + expected.length();
    }
    var check = new CRC32C();
    var checks = new int[pieces];
    for (var i = 0; i < pieces; i++) {
      checks[i] = tableEntry(i);
    }
    if (expected != null
        && LargeFormat.checkOfTable(LargeFormat.tableOf(checks, pieces)) != expected.tableCheck()) {
      return "its checksums at offset " + length + " are not those that the log knows";
    }
    for (var i = 0; i < pieces; i++) {
      var piece = piece(i);
      progress.accept(piece.remaining() + (long) LargeFormat.CHECK_BYTES);
      if (checks[i] != LargeFormat.checkOf(check, fileId, i, piece)) {
        return "a piece at offset " + (long) i * LargeFormat.PIECE_BYTES + " fails its checksum";
      }
    }
    return null;
  }

  private int tableEntry(int place) throws IOException {
    return reader
        .at(length + (long) LargeFormat.CHECK_BYTES * place, LargeFormat.CHECK_BYTES)
        .getInt();
  }

  /** How many pieces it has. */
  public int pieces() {
    return pieces;
  }

  /** A piece of the body; valid until the next call. */
  public ByteBuffer piece(int place) throws IOException {
    return reader.at((long) place * LargeFormat.PIECE_BYTES, LargeFormat.bytesOf(place, length));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}

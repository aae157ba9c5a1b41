package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.scan.LoggedBatch;
import io.peeklock.journal.scan.SegmentScan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * A file that no longer changes, and that differs from a backup's copy of the same length. A start
 * does not read all of such a file; so without a check a damaged one would replace the intact copy.
 */
final class Differing {
  /**
   * The bytes of the head of a cold segment; a segment's head begins in the same way. Both have a
   * random salt.
   */
  private static final int HEAD_BYTES = 32;

  private Differing() {}

  /**
   * Refuses a damaged file.
   *
   * @param name its name in the data folder
   * @param there the file in the data folder
   * @param known the file in the backup
   * @throws IOException when it is damaged; the text says where
   */
  static void refuseIfDamaged(String name, Path there, Path known) throws IOException {
    var damaged =
        switch (StoreFolder.kindOf(name)) {
          case SEGMENT -> isDamaged(name, there);
          case COLD -> head(there).equals(head(known)); // otherwise a different file of that number
          case LARGE_BODY -> true; // names are unique
          case CHECKPOINT, FORMAT, HIGH_WATER, LOCK, BALLAST, UNFINISHED, SET_ASIDE, OTHER -> false;
        };
    if (damaged) {
      throw new IOException(
          there
              + " is not what it was when it was backed up, and such a file never changes: it is"
              + " damaged. ./peeklock store verify says where. The backup is untouched");
    }
  }

  private static ByteBuffer head(Path file) throws IOException {
    var bytes = ByteBuffer.allocate(HEAD_BYTES);
    try (var in = FileChannel.open(file, StandardOpenOption.READ)) {
      while (bytes.hasRemaining() && in.read(bytes) >= 0) {
        // all of it
      }
    }
    return bytes.flip();
  }

  /**
   * Whether a segment is damaged. Its end may have been written again after a crash, if the backup
   * took it early.
   */
  private static boolean isDamaged(String name, Path there) throws IOException {
    var looking = new Looking();
    var files = Map.of(name, there, "format", there.resolveSibling("format"));
    try (var scan = StoreFolder.over(there.toString(), files).segment(name)) {
      scan.run(true, looking, bytes -> {});
    }
    return looking.found;
  }

  /** Whether anything in a segment is damaged. */
  private static final class Looking implements SegmentScan.Visitor {
    private boolean found;

    @Override
    public void batch(LoggedBatch batch) {
      found |= batch.damagedBodies().length > 0;
    }

    @Override
    public void watermark(long offset, long index) {
      // intact
    }

    @Override
    public void damage(long offset, long bytes, String what) {
      found = true;
    }
  }
}

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
 * A file that never changes again, and is not what a backup has of it although it is as long. A
 * start does not read all of such a file; so without a look at it a damaged one would take the
 * place of the copy that is intact.
 */
final class Differing {
  /** The head of a cold segment; that of a segment begins alike. Both hold a random salt. */
  private static final int HEAD_BYTES = 32;

  private Differing() {}

  /**
   * Refuses to go on when it is damaged.
   *
   * @param name in the data folder
   * @param there in the data folder
   * @param known in the backup
   * @throws IOException when it is; the text says where to look
   */
  static void refuseIfDamaged(String name, Path there, Path known) throws IOException {
    var damaged =
        switch (StoreFolder.kindOf(name)) {
          case SEGMENT -> isDamaged(name, there);
          case COLD -> head(there).equals(head(known)); // else it is another one of that number
          case LARGE_BODY -> true; // no two have one name
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

  /** Its end may have been written again, after a crash, when the backup took it early. */
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

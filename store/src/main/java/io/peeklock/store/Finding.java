package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import java.io.IOException;

/**
 * Something in a file that is not as it was written.
 *
 * @param file its name in the folder
 * @param offset where; -1 for the file as a whole
 * @param harmless whether nothing that was promised is touched
 */
record Finding(String file, long offset, String what, boolean harmless) {

  /** The log ends before what was durable. */
  static Finding endsTooEarly(StoreFolder folder, StoreFolder.Promised promised, long lastBatch)
      throws IOException {
    var file = promised.segment();
    var there = folder.has(file);
    var what = "the log ends at batch " + lastBatch + ", and " + promised.index() + " was durable";
    return new Finding(
        file, there ? folder.bytes(file) : -1, there ? what : "is missing; " + what, false);
  }

  /**
   * The file is not there that says up to where the log was durable.
   *
   * @param kept whether it was once
   */
  static Finding lacksTheMark(boolean kept) {
    var what =
        kept
            ? "is missing, and the log says that it was there; whether the end of the log is"
                + " missing too nobody can tell"
            : "is not there, because an older version wrote the log; the next start makes it";
    return new Finding(StoreFolder.HIGH_WATER, -1, what, !kept);
  }

  /** The format is told by the heads of the segments only. */
  static Finding lacksTheFormat() {
    var what =
        "is damaged or missing; the segments say their format, and the new folder says it again";
    return new Finding("format", -1, what, false);
  }

  /**
   * The only checkpoint of a log that begins with a later batch: a broker lets go of batches only
   * while it keeps two. But one alone is there after a restore, until the folder was served for a
   * while, and after a start that set a damaged one aside.
   */
  static Finding onlyCheckpoint(String file, long firstBatch) {
    var what =
        "is the only checkpoint, and the log begins with batch "
            + firstBatch
            + ", while a broker keeps two; it is so after a restore, else one is missing. A start"
            + " needs no other";
    return new Finding(file, -1, what, true);
  }

  @Override
  public String toString() {
    return (harmless ? "harmless  " : "DAMAGED   ")
        + file
        + (offset < 0 ? "" : " at offset " + offset)
        + ": "
        + what;
  }
}

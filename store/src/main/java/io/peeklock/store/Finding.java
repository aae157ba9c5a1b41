package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import java.io.IOException;

/**
 * A difference between a file and what was written to it.
 *
 * @param file its name in the folder
 * @param offset the offset; -1 for the file as a whole
 * @param harmless whether nothing durable is affected
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
   * The file is missing that records up to where the log was durable.
   *
   * @param kept whether the log had it
   */
  static Finding lacksTheMark(boolean kept) {
    var what =
        kept
            ? "is missing, and the log says that it was there; whether the end of the log is"
                + " missing too nobody can tell"
            : "is not there, because an older version wrote the log; the next start makes it";
    return new Finding(StoreFolder.HIGH_WATER, -1, what, !kept);
  }

  /** Only the heads of the segments show the format. */
  static Finding lacksTheFormat() {
    var what =
        "is damaged or missing; the segments say their format, and the new folder says it again";
    return new Finding("format", -1, what, false);
  }

  /**
   * The log begins with a later batch and has only one checkpoint, while a broker removes batches
   * only when it keeps two. This is normal after a restore until the broker has run for a while,
   * and after a start that set a damaged checkpoint aside.
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

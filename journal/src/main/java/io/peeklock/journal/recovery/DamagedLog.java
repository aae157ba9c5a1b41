package io.peeklock.journal.recovery;

import io.peeklock.journal.disk.Disk;
import java.io.IOException;

/** The errors of a log that cannot be recovered: where it is damaged, and what helps. */
final class DamagedLog {
  /** The end of each refusal because of damage. */
  static final String WAY_OUT =
      ". Nothing was changed; restore from a backup, or save what is intact with"
          + " ./peeklock store repair";

  private DamagedLog() {}

  /** The refusal of a start because of damage in a file. */
  static IOException at(Disk disk, String name, long offset, String what) {
    return new IOException(
        disk.describe(name) + " is damaged at offset " + offset + ": " + what + WAY_OUT);
  }
}

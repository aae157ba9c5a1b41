package io.peeklock.journal.recovery;

import io.peeklock.journal.disk.Disk;
import java.io.IOException;

/** What is said when a log cannot be recovered: where it is damaged, and what helps. */
final class DamagedLog {
  /** How each refusal of damage ends. */
  static final String WAY_OUT =
      ". Nothing was changed; restore from a backup, or save what is intact with"
          + " ./peeklock store repair";

  private DamagedLog() {}

  /** A start is refused because of what is wrong with a file. */
  static IOException at(Disk disk, String name, long offset, String what) {
    return new IOException(
        disk.describe(name) + " is damaged at offset " + offset + ": " + what + WAY_OUT);
  }
}

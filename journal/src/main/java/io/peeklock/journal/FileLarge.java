package io.peeklock.journal;

import io.peeklock.runtime.LargeBody;

/** A large body in a file of its own. */
final class FileLarge extends StoredLarge {
  private final LargeFiles files;
  private final long fileId;
  private final int tableCheck;
  private boolean staged;

  /** The checksums of its pieces; the reading thread's. */
  int[] checks;

  FileLarge(
      LargeFiles files, long fileId, long length, int tableCheck, int[] checks, boolean staged) {
    super(length);
    this.files = files;
    this.fileId = fileId;
    this.tableCheck = tableCheck;
    this.checks = checks;
    this.staged = staged;
  }

  long fileId() {
    return fileId;
  }

  /** Checksum of the table of checksums; the log has it too. */
  int tableCheck() {
    return tableCheck;
  }

  @Override
  synchronized void logged() {
    if (staged) {
      staged = false;
      files.unstaged(length());
    }
  }

  @Override
  void remove() {
    logged();
    files.remove(fileId);
  }

  @Override
  LargeBody pin() {
    retain();
    return files.reader(this);
  }
}

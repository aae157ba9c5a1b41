package io.peeklock.journal.large;

import io.peeklock.journal.blocks.StoredLarge;
import io.peeklock.runtime.LargeBody;

/** A large body in a file of its own. */
public final class FileLarge extends StoredLarge {
  private final Storage storage;
  private final long fileId;
  private final int tableCheck;
  private boolean staged;

  /** Who has the files. */
  interface Storage {
    /** Bytes in flight came to rest. */
    void unstaged(long bytes);

    /** Nobody refers to a file any more. */
    void remove(long fileId);

    /** A pin for one reader, which is already counted. */
    LargeBody reader(FileLarge body);
  }

  /** The checksums of its pieces; the reading thread's. */
  int[] checks;

  FileLarge(
      Storage storage, long fileId, long length, int tableCheck, int[] checks, boolean staged) {
    super(length);
    this.storage = storage;
    this.fileId = fileId;
    this.tableCheck = tableCheck;
    this.checks = checks;
    this.staged = staged;
  }

  public long fileId() {
    return fileId;
  }

  /** Checksum of the table of checksums; the log has it too. */
  public int tableCheck() {
    return tableCheck;
  }

  @Override
  public synchronized void logged() {
    if (staged) {
      staged = false;
      storage.unstaged(length());
    }
  }

  @Override
  public void remove() {
    logged();
    storage.remove(fileId);
  }

  @Override
  public LargeBody pin() {
    retain();
    return storage.reader(this);
  }
}

package io.peeklock.journal.large;

import io.peeklock.journal.blocks.StoredLarge;
import io.peeklock.runtime.LargeBody;

/** A large body in its own file. */
public final class FileLarge extends StoredLarge {
  private final Storage storage;
  private final long fileId;
  private final int tableCheck;
  private boolean staged;

  /** The keeper of the files. */
  interface Storage {
    /** Bytes in flight came to rest. */
    void unstaged(long bytes);

    /** Removes a file without references. */
    void remove(long fileId);

    /** Creates a reader, whose pin is counted already. */
    LargeBody reader(FileLarge body);
  }

  /** The checksums of its pieces; used by the reading thread. */
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

  /** The checksum of the table of checksums, which the log has too. */
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

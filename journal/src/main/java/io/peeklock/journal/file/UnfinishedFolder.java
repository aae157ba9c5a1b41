package io.peeklock.journal.file;

import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.disk.LocalDisk;
import io.peeklock.journal.large.LargeFormat;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A data folder that a tool is creating. The first file in it is a marker, durable before any other
 * file, and the last step removes the marker. So an incomplete folder is never taken for a complete
 * one, whenever the tool ended: until the tool has run to its end, each start is refused with a
 * sentence that says so.
 *
 * <p>For one thread.
 */
public final class UnfinishedFolder implements Closeable {
  private final Disk disk;
  private final Closeable lock;

  /** A file that is being written. */
  public static final class Out implements Closeable {
    private final DiskFile file;

    private Out(DiskFile file) {
      this.file = file;
    }

    /** Writes all of it. */
    public void write(ByteBuffer bytes) throws IOException {
      file.append(new ByteBuffer[] {bytes}, 1);
    }

    /** Makes what was written durable. */
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private UnfinishedFolder(Disk disk, Closeable lock) {
    this.disk = disk;
    this.lock = lock;
  }

  /**
   * Refuses a folder that is not empty, except one that a tool began and did not finish.
   *
   * @throws IOException when it is not empty
   */
  public static void refuseUnlessFree(Path folder) throws IOException {
    if (!Files.exists(folder) || Files.exists(folder.resolve(Folder.UNFINISHED_FILE))) {
      return;
    }
    if (!Files.isDirectory(folder)) {
      throw new IOException(folder + " is a file, and no folder");
    }
    try (var entries = Files.list(folder)) {
      if (entries.findFirst().isPresent()) {
        throw new IOException(folder + " is not empty; nothing is written over what is there");
      }
    }
  }

  /**
   * Begins a folder, or begins an unfinished one again, whose files are removed.
   *
   * @param command the tool's command, which an error about an unfinished folder names
   * @throws IOException when it has other files, or another tool is creating it
   */
  public static UnfinishedFolder begin(Path folder, String command) throws IOException {
    refuseUnlessFree(folder);
    make(folder);
    return begin(new LocalDisk(folder), command);
  }

  static UnfinishedFolder begin(Disk disk, String command) throws IOException {
    var lock = Folder.begin(disk, command);
    var made = false;
    try {
      disk.makeFolder(LargeFormat.FOLDER);
      made = true;
      return new UnfinishedFolder(disk, lock);
    } finally {
      if (!made) {
        lock.close();
      }
    }
  }

  /** Creates a folder, and makes its name and those of its parents durable. */
  static void make(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    var parent = folder.toAbsolutePath().normalize().getParent();
    if (parent == null) {
      return;
    }
    make(parent);
    Files.createDirectory(folder, LocalDisk.ownerOnly("rwx------"));
    LocalDisk.sync(parent);
  }

  /** A new file in it. */
  public Out create(String name) throws IOException {
    return new Out(disk.create(name));
  }

  /** Makes the names of all files durable. */
  public void sync() throws IOException {
    disk.syncFolder(LargeFormat.FOLDER);
    disk.syncFolder("");
  }

  /** Removes the written files; the marker stays, so that nothing can start in the folder. */
  public void clear() throws IOException {
    Folder.clear(disk);
  }

  /** Releases the lock; the folder stays unfinished. */
  @Override
  public void close() throws IOException {
    lock.close();
  }

  /** Finishes a folder whose files are complete and durable, so that brokers can start in it. */
  public static void finish(Path folder) throws IOException {
    Folder.finish(new LocalDisk(folder));
  }
}

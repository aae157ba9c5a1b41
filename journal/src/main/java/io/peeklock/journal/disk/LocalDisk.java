package io.peeklock.journal.disk;

import io.peeklock.journal.StoreGoneException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file system of this machine. */
public final class LocalDisk implements Disk {
  private static final Logger LOG = LoggerFactory.getLogger(LocalDisk.class);
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private final Path folder;
  private final FileStore store;

  /** Opens a folder, which is created if missing. */
  public LocalDisk(Path folder) throws IOException {
    this.folder = folder.toAbsolutePath().normalize();
    Files.createDirectories(this.folder, ownerOnly("rwx------"));
    var warning = warningAbout(this.folder);
    if (!warning.isEmpty()) {
      LOG.warn("{}", warning);
    }
    this.store = Files.getFileStore(this.folder);
  }

  /**
   * A warning about the folder's permissions, empty for none. Open permissions are not refused:
   * volumes of orchestrators often have them.
   */
  public static String warningAbout(Path folder) throws IOException {
    if (!POSIX
        || !Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE)) {
      return "";
    }
    return "Everybody on this machine may write to the data folder "
        + folder
        + ", and so remove messages or put others in their place; chmod 700 takes that away";
  }

  /**
   * The attributes that create a file or folder with these permissions; none on systems without
   * POSIX permissions.
   */
  public static FileAttribute<?>[] ownerOnly(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private FileChannel channel(String name, OpenOption... options) throws IOException {
    return FileChannel.open(folder.resolve(name), Set.of(options), ownerOnly("rw-------"));
  }

  @Override
  public DiskFile create(String name) throws IOException {
    try {
      return new LocalFile(
          folder.resolve(name),
          channel(
              name,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE));
    } catch (NoSuchFileException gone) {
      throw new StoreGoneException(describe(name), gone); // the folder is gone: this file is new
    }
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new LocalFile(
        folder.resolve(name), channel(name, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(folder.resolve(name), LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public List<String> list(String subfolder) throws IOException {
    try (var files = Files.list(folder.resolve(subfolder))) {
      return files
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .map(file -> String.valueOf(file.getFileName()))
          .sorted()
          .toList();
    }
  }

  /** Uses the attributes of the listing, so that no file is opened. */
  @Override
  public Map<String, Long> sizes(String subfolder) throws IOException {
    var found = new HashMap<String, Long>();
    Files.walkFileTree(
        folder.resolve(subfolder),
        Set.of(),
        1,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              found.put(String.valueOf(file.getFileName()), attributes.size());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  @Override
  public void makeFolder(String subfolder) throws IOException {
    Files.createDirectories(folder.resolve(subfolder), ownerOnly("rwx------"));
  }

  @Override
  public void syncFolder(String subfolder) throws IOException {
    sync(folder.resolve(subfolder));
  }

  /** Makes the names in a folder durable. */
  public static void sync(Path path) throws IOException {
    if (!POSIX) {
      return; // Windows cannot open a folder; its file system orders names by itself.
    }
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException failure) {
      throw new IOException(path + " cannot be synced: " + failure.getMessage(), failure);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(folder.resolve(from), folder.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(folder.resolve(name));
  }

  @Override
  public long freeBytes() throws IOException {
    return store.getUsableSpace();
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return FolderLock.take(folder, name);
  }

  @Override
  public Closeable guard(String name) throws IOException {
    return FolderLock.guard(folder, name, false);
  }

  @Override
  public String describe(String name) {
    return folder.resolve(name).toString();
  }

  /** One file. */
  private static final class LocalFile implements DiskFile {
    private final Path path;
    private final FileChannel channel;

    LocalFile(Path path, FileChannel channel) throws IOException {
      this.path = path;
      this.channel = channel;
      channel.position(channel.size());
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void append(ByteBuffer[] pieces, int count) throws IOException {
      var first = 0;
      while (true) {
        while (first < count && !pieces[first].hasRemaining()) {
          first++;
        }
        if (first == count) {
          return;
        }
        try {
          channel.write(pieces, first, count - first);
        } catch (IOException failure) {
          throw failed("written", failure);
        }
      }
    }

    @Override
    public void overwrite(ByteBuffer bytes, long position) throws IOException {
      var at = position;
      while (bytes.hasRemaining()) {
        try {
          at += channel.write(bytes, at);
        } catch (IOException failure) {
          throw failed("written", failure);
        }
      }
    }

    /** An exception that names the file, as the system's does not. */
    private IOException failed(String what, IOException failure) {
      return new IOException(path + " cannot be " + what + ": " + failure.getMessage(), failure);
    }

    @Override
    public void read(ByteBuffer into, long position) throws IOException {
      var at = position;
      while (into.hasRemaining()) {
        var read = channel.read(into, at);
        if (read < 0) {
          return;
        }
        at += read;
      }
    }

    @Override
    public void sync() throws IOException {
      try {
        channel.force(false);
      } catch (IOException failure) {
        throw failed("synced", failure);
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
      channel.position(size);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}

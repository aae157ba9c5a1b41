package io.peeklock.journal.disk;

import io.peeklock.journal.StoreChange;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A read-only disk that pretends to write: every change reports success and does nothing; cuts,
 * removals and renames are recorded.
 */
public final class ReadOnlyDisk implements Disk {
  private final TreeMap<String, Path> files;
  private final List<StoreChange> changes = new ArrayList<>();
  private final List<OpenFile> open = new ArrayList<>();

  /** A disk with these files, by their names in a journal's folder. */
  public ReadOnlyDisk(Map<String, Path> files) {
    this.files = new TreeMap<>(files);
  }

  /** Closes what is still open. */
  public void close() throws IOException {
    for (var file : List.copyOf(open)) {
      file.close();
    }
  }

  /** The changes that would have been made, in order. */
  public List<StoreChange> changes() {
    return Collections.unmodifiableList(changes);
  }

  public List<String> names() {
    return List.copyOf(files.keySet());
  }

  /**
   * The path of a file.
   *
   * @throws IOException when there is no file of this name
   */
  public Path path(String name) throws IOException {
    var path = files.get(name);
    if (path == null) {
      throw new NoSuchFileException(name);
    }
    return path;
  }

  @Override
  public DiskFile create(String name) {
    return new OpenFile(name, null);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    var file = new OpenFile(name, FileChannel.open(path(name), StandardOpenOption.READ));
    open.add(file);
    return file;
  }

  @Override
  public boolean exists(String name) {
    return files.containsKey(name);
  }

  @Override
  public List<String> list(String folder) {
    var prefix = folder.isEmpty() ? "" : folder + "/";
    return files.keySet().stream()
        .filter(name -> name.startsWith(prefix) && name.indexOf('/', prefix.length()) < 0)
        .map(name -> name.substring(prefix.length()))
        .toList();
  }

  @Override
  public Map<String, Long> sizes(String folder) throws IOException {
    var found = new HashMap<String, Long>();
    var prefix = folder.isEmpty() ? "" : folder + "/";
    for (var name : list(folder)) {
      found.put(name, Files.size(path(prefix + name)));
    }
    return found;
  }

  @Override
  public void makeFolder(String folder) {
    // it would be empty
  }

  @Override
  public void syncFolder(String folder) {
    // nothing was changed
  }

  @Override
  public void rename(String from, String to) {
    if (exists(from)) {
      changes.add(new StoreChange.SetAside(from));
    }
  }

  @Override
  public void delete(String name) {
    if (exists(name)) {
      changes.add(new StoreChange.Removed(name));
    }
  }

  @Override
  public long freeBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public Closeable lock(String name) {
    return () -> {};
  }

  @Override
  public Closeable guard(String name) {
    return () -> {};
  }

  @Override
  public String describe(String name) {
    var path = files.get(name);
    return path == null ? name : path.toString();
  }

  private final class OpenFile implements DiskFile {
    private final String name;
    private final @Nullable FileChannel channel;

    OpenFile(String name, @Nullable FileChannel channel) {
      this.name = name;
      this.channel = channel;
    }

    @Override
    public long size() throws IOException {
      return channel == null ? 0 : channel.size();
    }

    @Override
    public void append(ByteBuffer[] pieces, int count) {
      for (var i = 0; i < count; i++) {
        pieces[i].position(pieces[i].limit());
      }
    }

    @Override
    public void overwrite(ByteBuffer bytes, long position) {
      bytes.position(bytes.limit());
    }

    @Override
    public void read(ByteBuffer into, long position) throws IOException {
      var at = position;
      while (channel != null && into.hasRemaining()) {
        var read = channel.read(into, at);
        if (read < 0) {
          return;
        }
        at += read;
      }
    }

    @Override
    public void sync() {
      // nothing was written
    }

    @Override
    public void truncate(long size) throws IOException {
      changes.add(new StoreChange.Cut(name, size, size() - size));
    }

    @Override
    public void close() throws IOException {
      open.remove(this);
      if (channel != null) {
        channel.close();
      }
    }
  }
}

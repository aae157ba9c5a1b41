package io.peeklock.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Locks a folder for one process. The lock file names it. A second file, which a log needs, is
 * locked too, because someone may remove a lock file as a leftover, and a new one would be free.
 */
public final class FolderLock {
  /**
   * Folders held by this JVM. A second lock by the same process must be refused before the lock
   * file is opened: on POSIX systems, closing any of a process's handles on a file drops its locks.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private FolderLock() {}

  /** Locks a folder for writing, and records the process. */
  public static Closeable take(Path folder, String name) throws IOException {
    return only(
        folder,
        name,
        () -> {
          var channel =
              FileChannel.open(
                  folder.resolve(name),
                  Set.<OpenOption>of(
                      StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                  LocalDisk.ownerOnly("rw-------"));
          return kept(
              channel,
              () -> {
                if (channel.tryLock() == null) {
                  throw held(folder, folder.resolve(name), holder(channel));
                }
                sayWho(channel, folder.resolve(name));
              });
        });
  }

  /** Overwrites the old text, then cuts it: that works on a full disk. */
  private static void sayWho(FileChannel channel, Path file) throws IOException {
    var holder = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
    try {
      channel.write(ByteBuffer.wrap(holder), 0);
      channel.truncate(holder.length);
    } catch (IOException failure) { // the system's message names no file
      throw new IOException(file + " cannot be written: " + failure.getMessage(), failure);
    }
  }

  /**
   * Keeps brokers out of a folder that is only read. Nothing is written, not even the process.
   *
   * @throws IOException naming the holder when a broker has it
   */
  public static Closeable forReading(Path unresolved, String name, String guarded)
      throws IOException {
    var folder = unresolved.toAbsolutePath().normalize();
    return only(
        folder,
        name,
        () -> {
          var lock = shared(folder, name);
          var free = false;
          try {
            guard(folder, guarded, true).close(); // its holder may have lost the lock file
            free = true;
            return lock;
          } finally {
            if (!free) {
              lock.close();
            }
          }
        });
  }

  private static Closeable shared(Path folder, String name) throws IOException {
    var file = folder.resolve(name);
    if (!Files.exists(file)) {
      return () -> {}; // it was never locked
    }
    var channel = FileChannel.open(file, StandardOpenOption.READ);
    return kept(
        channel,
        () -> {
          if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
            throw held(folder, file, "process " + read(channel));
          }
        });
  }

  /** Locks an existing file without writing to it, until closed; a missing file counts as free. */
  static Closeable guard(Path folder, String name, boolean shared) throws IOException {
    var file = folder.resolve(name);
    if (!Files.exists(file)) {
      return () -> {};
    }
    var channel =
        shared
            ? FileChannel.open(file, StandardOpenOption.READ)
            : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    return kept(
        channel,
        () -> {
          if (channel.tryLock(0, Long.MAX_VALUE, shared) == null) {
            throw held(folder, file, "another process");
          }
        });
  }

  private interface Taking {
    Closeable take() throws IOException;
  }

  private interface Locking {
    void lock() throws IOException;
  }

  /** Locks a folder once in this process. */
  private static Closeable only(Path folder, String name, Taking taking) throws IOException {
    var real = folder.toRealPath();
    if (!HELD.add(real)) {
      throw held(folder, folder.resolve(name), "this process");
    }
    var taken = false;
    try {
      var lock = taking.take();
      taken = true;
      return () -> {
        lock.close();
        HELD.remove(real);
      };
    } finally {
      if (!taken) {
        HELD.remove(real);
      }
    }
  }

  /** Locks a channel, which is closed when that fails. */
  private static Closeable kept(FileChannel channel, Locking locking) throws IOException {
    var locked = false;
    try {
      locking.lock();
      locked = true;
      return channel;
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  /** The process named in the lock file; a reader has not named itself. */
  private static String holder(FileChannel channel) throws IOException {
    return channel.tryLock(0, Long.MAX_VALUE, true) == null
        ? "process " + read(channel)
        : "a store command that reads it";
  }

  private static IOException held(Path folder, Path lock, String holder) {
    return new IOException(
        "the folder "
            + folder
            + " is in use by "
            + holder
            + " ("
            + lock
            + " is locked); stop that broker or choose another folder");
  }

  private static String read(FileChannel channel) throws IOException {
    var text = ByteBuffer.allocate(32);
    channel.read(text, 0);
    var pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
    return pid.isEmpty() ? "of unknown number" : pid;
  }
}

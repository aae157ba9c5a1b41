package io.peeklock.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32C;

/** Reads and writes whole files with their checksums, synced and readable by their owner only. */
final class CheckedFiles {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private CheckedFiles() {}

  private static FileAttribute<?>[] ownerOnly(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  static void makeFolder(Path folder) throws IOException {
    Files.createDirectories(folder, ownerOnly("rwx------"));
  }

  static boolean isEmpty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    try (var entries = Files.list(folder)) {
      return entries.findFirst().isEmpty();
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        ownerOnly("rw-------"));
  }

  /** A file to lock, created for its owner only if missing. */
  static FileChannel lockFile(Path file) throws IOException {
    return FileChannel.open(
        file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), ownerOnly("rw-------"));
  }

  /** Writes a new file with this text, and syncs it. */
  static void write(Path file, String text) throws IOException {
    try (var out = create(file)) {
      write(out, file, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      sync(out, file);
    }
  }

  private static void write(FileChannel out, Path file, ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
    } catch (IOException failure) { // the system's message names no file
      throw new IOException(file + " cannot be written: " + failure.getMessage(), failure);
    }
  }

  private static void sync(FileChannel out, Path file) throws IOException {
    try {
      out.force(true);
    } catch (IOException failure) {
      throw new IOException(file + " cannot be synced: " + failure.getMessage(), failure);
    }
  }

  /** The copied bytes, and their checksum. */
  record Copied(long bytes, int check) {}

  /** Copies a file as it is when opened to a new file, and syncs that. */
  static Copied copy(Path from, Path to, Progress progress) throws IOException {
    try (var out = create(to)) {
      var copied = copy(from, bytes -> write(out, to, bytes), progress);
      sync(out, to);
      return copied;
    }
  }

  /** Receives bytes. */
  interface Sink {
    /** The bytes from its position to its limit. */
    void write(ByteBuffer bytes) throws IOException;
  }

  /** Writes the contents of a file as they are when it is opened. */
  static Copied copy(Path from, Sink to, Progress progress) throws IOException {
    var check = new CRC32C();
    var buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (var in = FileChannel.open(from, StandardOpenOption.READ)) {
      var left = in.size();
      var bytes = 0L;
      while (left > 0) {
        buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
        var read = in.read(buffer);
        if (read < 0) {
          break;
        }
        check.update(buffer.flip());
        buffer.rewind();
        to.write(buffer);
        left -= read;
        bytes += read;
        progress.add(read);
      }
      return new Copied(bytes, (int) check.getValue());
    }
  }

  /** The checksum of a whole file. */
  static Copied check(Path file, Progress progress) throws IOException {
    var check = new CRC32C();
    var buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (var in = FileChannel.open(file, StandardOpenOption.READ)) {
      var bytes = 0L;
      for (var read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        check.update(buffer.flip());
        buffer.clear();
        bytes += read;
        progress.add(read);
      }
      return new Copied(bytes, (int) check.getValue());
    }
  }

  /** Makes names in a folder durable. */
  static void syncFolder(Path folder) throws IOException {
    if (POSIX) {
      try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}

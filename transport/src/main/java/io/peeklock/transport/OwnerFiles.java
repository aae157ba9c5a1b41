package io.peeklock.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that nobody but their owner may read. */
final class OwnerFiles {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private OwnerFiles() {}

  private static FileAttribute<?>[] only(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /** A new folder beside one that is not there yet, to be renamed to it. */
  static Path draftBeside(Path folder) throws IOException {
    var parent = folder.toAbsolutePath().getParent();
    Files.createDirectories(parent, only("rwx------"));
    return Files.createTempDirectory(parent, folder.getFileName() + ".new-", only("rwx------"));
  }

  /** A new file with this text, synced. */
  static void write(Path file, String text) throws IOException {
    var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (var out = FileChannel.open(file, options, only("rw-------"))) {
      var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }

  /** The same where there is one already: the old one is whole until the new one is. */
  static void replace(Path file, String text) throws IOException {
    var draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    write(draft, text);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Its text.
   *
   * @throws IOException when others may read it too: then it is no secret any more
   */
  static String read(Path file) throws IOException {
    if (POSIX
        && Files.getPosixFilePermissions(file).stream()
            .anyMatch(permission -> !permission.name().startsWith("OWNER"))) {
      throw new IOException(
          "the key file " + file + " is open to other users; set its permissions to 600");
    }
    return Files.readString(file, StandardCharsets.US_ASCII);
  }

  static void deleteFolder(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}

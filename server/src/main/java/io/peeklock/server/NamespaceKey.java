package io.peeklock.server;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServerSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The key of the policy that a namespace starts with, by the table of design.md 6: the well-known
 * one where only this machine or an emulator's users can come, else one that was made at the first
 * start.
 */
final class NamespaceKey {
  /** What everybody knows from the vendor's emulator. */
  static final String WELL_KNOWN = "SAS_KEY_VALUE";

  private static final String FILE_NAME = "namespace-key";
  private static final int BYTES = 32;
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final String text;
  private final Origin origin;

  /** Where a key comes from. */
  enum Origin {
    /** Everybody knows it. */
    WELL_KNOWN,
    /** Read from the data folder; was printed when it was made. */
    KEPT,
    /** Made just now, and kept. */
    NEW,
    /** Made just now for this run only. */
    FLEETING
  }

  private NamespaceKey(String text, Origin origin) {
    this.text = text;
    this.origin = origin;
  }

  /**
   * The key that these settings ask for. The data folder must exist and be this broker's.
   *
   * @param data the folder of the namespace; null where everything is in memory
   * @throws IOException when the key can be neither read nor kept
   * @throws ConfigurationException when the kept key is not good enough
   */
  static NamespaceKey of(ServerSettings settings, @Nullable Path data) throws IOException {
    if (settings.wellKnownKey()) {
      return new NamespaceKey(WELL_KNOWN, Origin.WELL_KNOWN);
    }
    if (data == null) {
      return new NamespaceKey(random(), Origin.FLEETING);
    }
    var file = data.resolve(FILE_NAME);
    if (Files.exists(file)) {
      return new NamespaceKey(read(file), Origin.KEPT);
    }
    var made = random();
    keep(file, made);
    return new NamespaceKey(made, Origin.NEW);
  }

  String text() {
    return text;
  }

  Origin origin() {
    return origin;
  }

  private static String random() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static void keep(Path file, String key) throws IOException {
    var draft = file.resolveSibling(FILE_NAME + ".new");
    Files.deleteIfExists(draft);
    Files.createFile(draft, ownerOnly(file.resolveSibling(".")));
    try (var out = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap((key + "\n").getBytes(StandardCharsets.US_ASCII)));
      out.force(true);
    } catch (IOException failure) { // the system's own words name no file
      throw new IOException(draft + " cannot be written: " + failure.getMessage(), failure);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** How a file in this folder is made for its owner only. */
  static FileAttribute<?>[] ownerOnly(Path folder) throws IOException {
    return Files.getFileStore(folder).supportsFileAttributeView("posix")
        ? new FileAttribute<?>[] {OWNER_ONLY}
        : new FileAttribute<?>[0];
  }

  private static String read(Path file) throws IOException {
    checkOwnerOnly(file);
    var key = Files.readString(file, StandardCharsets.US_ASCII).strip();
    if (key.equals(WELL_KNOWN)) {
      throw new ConfigurationException(
          "the key in "
              + file
              + " is the well-known one, which opens nothing but loopback; delete the file to get"
              + " a new key, or use --insecure");
    }
    if (key.getBytes(StandardCharsets.US_ASCII).length < BYTES) {
      throw new ConfigurationException(
          "the key in "
              + file
              + " is shorter than "
              + BYTES
              + " bytes; delete the file for a new one");
    }
    return key;
  }

  private static void checkOwnerOnly(Path file) throws IOException {
    var view = Files.getFileStore(file).supportsFileAttributeView("posix");
    if (view
        && Files.getPosixFilePermissions(file).stream()
            .anyMatch(permission -> !permission.name().startsWith("OWNER"))) {
      throw new ConfigurationException(
          "the key file " + file + " is open to other users; set its permissions to 600");
    }
  }

  @Override
  public String toString() {
    return "NamespaceKey[" + origin + "]";
  }
}

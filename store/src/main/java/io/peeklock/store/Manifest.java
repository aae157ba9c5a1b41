package io.peeklock.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The files of a backup. Written last, so that without it, or with an older one, the backup is the
 * earlier one.
 *
 * @param index of the last batch in the backup
 * @param entries one for each file
 */
record Manifest(long index, List<Entry> entries) {
  static final String NAME = "backup.manifest";
  private static final String FRESH_NAME = "backup.manifest.new";
  private static final String TITLE = "peeklock backup";
  private static final int VERSION = 1;
  private static final Pattern LINE =
      Pattern.compile("file (\\d{1,18}) ([0-9a-f]{8}) (\\S+) (\\S+)");

  /**
   * One file.
   *
   * @param name in the data folder
   * @param stored its name in the backup
   * @param check CRC-32C of all its bytes
   */
  record Entry(String name, String stored, long bytes, int check) {}

  /** The entry of a file of the data folder; null for none. */
  @Nullable Entry of(String name) {
    return entries.stream().filter(entry -> entry.name().equals(name)).findFirst().orElse(null);
  }

  private String text() {
    var text = new StringBuilder();
    text.append(TITLE).append(' ').append(VERSION).append("\nindex ").append(index).append('\n');
    for (var entry : entries) {
      text.append(
          String.format(
              Locale.ROOT,
              "file %d %08x %s %s%n",
              entry.bytes(),
              entry.check(),
              entry.stored(),
              entry.name()));
    }
    return text.toString().replace("\r", "");
  }

  private static String endOf(String text) {
    var check = new CRC32C();
    check.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "end %08x", check.getValue());
  }

  /** Replaces the earlier manifest, durably. */
  void write(Path backup) throws IOException {
    var fresh = backup.resolve(FRESH_NAME);
    Files.deleteIfExists(fresh);
    var text = text();
    CheckedFiles.write(fresh, text + endOf(text) + "\n");
    Files.move(
        fresh,
        backup.resolve(NAME),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    CheckedFiles.syncFolder(backup);
  }

  /**
   * Refuses a backup as a data folder: its files have other names, and only a restore verifies
   * them.
   */
  static void refuseIn(Path folder) throws IOException {
    if (Files.exists(folder.resolve(NAME))) {
      throw new IOException(
          folder
              + " is a backup, and no data folder; restore it first: ./peeklock store restore "
              + folder
              + " --to DIR");
    }
  }

  /** The manifest of a backup; null when there is none. */
  static @Nullable Manifest readIfThere(Path backup) throws IOException {
    return Files.exists(backup.resolve(NAME)) ? read(backup) : null;
  }

  /**
   * The manifest of a backup.
   *
   * @throws IOException when there is none, or it is damaged or of a newer version
   */
  static Manifest read(Path backup) throws IOException {
    var file = backup.resolve(NAME);
    if (!Files.exists(file)) {
      throw new IOException(backup + " is no backup: it has no " + NAME);
    }
    var text = Files.readString(file);
    var end = text.lastIndexOf("end ");
    if (end < 0 || !text.substring(end).strip().equals(endOf(text.substring(0, end)))) {
      throw new IOException(file + " is damaged: its own checksum does not fit");
    }
    return parse(file, text.substring(0, end).lines().toList());
  }

  private static Manifest parse(Path file, List<String> lines) throws IOException {
    if (!lines.get(0).equals(TITLE + " " + VERSION)) {
      throw new IOException(
          file + " says \"" + lines.get(0) + "\"; use the newer version that wrote it");
    }
    var entries = new ArrayList<Entry>();
    for (var line : lines.subList(2, lines.size())) {
      var matcher = LINE.matcher(line);
      if (!matcher.matches()
          || matcher.group(3).contains("..")
          || matcher.group(4).contains("..")) {
        throw new IOException(file + " has a line that is none of a manifest: " + line);
      }
      entries.add(
          new Entry(
              matcher.group(4),
              matcher.group(3),
              Long.parseLong(matcher.group(1)),
              Integer.parseUnsignedInt(matcher.group(2), 16)));
    }
    return new Manifest(Long.parseLong(lines.get(1).substring("index ".length())), entries);
  }
}

package io.peeklock.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file that a container should have got from outside. What engines leave there when something is
 * wrong looks like no file at all, so each such case has its sentence.
 */
final class MountedFile {
  private MountedFile() {}

  /**
   * The file to read.
   *
   * @param warnings is told when there is something that is not the file
   * @return null when there is none; one of another case is taken
   */
  static @Nullable Path at(Path place, List<String> warnings) {
    var file = inAnyCase(place);
    if (file == null) {
      return null;
    }
    if (!file.equals(place)) {
      warnings.add(file + " is taken for " + place.getFileName());
    }
    if (Files.isDirectory(file)) {
      warnings.add(
          file
              + " is a folder, and no entity is made by it: where the path before the colon of a"
              + " volume does not exist, container engines make a folder of that name");
      return null;
    }
    if (isBlank(file)) {
      warnings.add(file + " is empty, and no entity is made by it");
      return null;
    }
    return file;
  }

  private static @Nullable Path inAnyCase(Path place) {
    var folder = place.getParent();
    if (Files.exists(place) || folder == null || !Files.isDirectory(folder)) {
      return Files.exists(place) ? place : null;
    }
    var name = String.valueOf(place.getFileName());
    try (var entries = Files.list(folder)) {
      return entries
          .filter(entry -> String.valueOf(entry.getFileName()).equalsIgnoreCase(name))
          .findFirst()
          .orElse(null);
    } catch (IOException unreadable) {
      return null; // nothing is mounted in a folder that nobody may list
    }
  }

  private static boolean isBlank(Path file) {
    try {
      return Files.isRegularFile(file)
          && Files.isReadable(file)
          && Files.readString(file).isBlank();
    } catch (IOException unreadable) {
      return false; // who reads it will say why
    }
  }

  /** Who may not read a file: "runs as uid 10001, the file is rw------- of uid 0". */
  static String denied(Path file) {
    try {
      var mine = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      var owner = Files.getAttribute(file, "unix:uid");
      var mode = (int) Files.getAttribute(file, "unix:mode") & 0_777;
      return "permission denied: the broker runs as uid "
          + mine
          + ", the file is 0"
          + Integer.toOctalString(mode)
          + " of uid "
          + owner
          + "; chmod a+r lets it in";
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
      return "permission denied";
    }
  }
}

package io.peeklock.server;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * An empty file beside the folder of a namespace that says that it was served before. A folder that
 * is missing then was lost or is not mounted, and is not made anew without a word. The default
 * namespace has none: its folder is the data folder, beside which nothing is the broker's.
 */
final class ServedMark {
  private static final String LOG_FILE = "format";
  private static final String SUFFIX = ".served";

  private ServedMark() {}

  /**
   * Refuses a folder that was served and has no log any more.
   *
   * @param name of the namespace, for people
   */
  static void check(String name, Path folder) throws IOException {
    var mark = of(folder);
    if (Files.exists(mark) && !Files.exists(folder.resolve(LOG_FILE), LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          "the namespace "
              + name
              + " was served before, and its folder "
              + folder
              + " is missing or empty; put it back, restore a backup there, or delete "
              + mark
              + " to begin with an empty namespace. Nothing was changed");
    }
  }

  /** The namespace is served from now on. */
  static void note(Path folder) throws IOException {
    try {
      Files.createFile(of(folder), NamespaceKey.ownerOnly(folder));
    } catch (FileAlreadyExistsException known) {
      return; // as at every start but the first
    }
  }

  private static Path of(Path folder) {
    return folder.resolveSibling(folder.getFileName() + SUFFIX);
  }
}

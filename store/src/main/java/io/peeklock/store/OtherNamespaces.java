package io.peeklock.store;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The namespaces besides the default one, which have their own folders inside its data folder. */
final class OtherNamespaces {
  private static final String FOLDER = "namespaces";

  private OtherNamespaces() {}

  /** Mentions them, if there are any, as the command did not check them. */
  static void mention(Path folder, PrintWriter out) throws IOException {
    var names = in(folder.resolve(FOLDER));
    if (!names.isEmpty()) {
      out.println(
          "not read  the namespaces "
              + String.join(", ", names)
              + ": each has a folder in "
              + folder.resolve(FOLDER)
              + ", and needs this command for itself");
    }
  }

  /**
   * How to serve a new folder. The folder of a namespace is served as a part of its data folder: as
   * a data folder of its own it would be the default namespace of another broker.
   *
   * @param instead the folder that it was made from, which it may have to replace
   */
  static String serving(Path folder, Path instead) {
    var own = parts(folder);
    if (own != null) {
      return own;
    }
    var other = parts(instead);
    return other == null
        ? "./peeklock serve --data " + folder
        : "in the place of " + instead + ": " + other;
  }

  /** The command for the folder of a namespace; null for another one. */
  private static @Nullable String parts(Path folder) {
    var whole = folder.toAbsolutePath().normalize();
    var namespaces = whole.getParent();
    if (namespaces == null || namespaces.getParent() == null || !namespaces.endsWith(FOLDER)) {
      return null;
    }
    return "./peeklock serve --data "
        + namespaces.getParent()
        + " --namespace "
        + whole.getFileName();
  }

  private static List<String> in(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var all = Files.list(folder)) {
      return all.filter(Files::isDirectory)
          .map(each -> each.getFileName().toString())
          .sorted()
          .toList();
    }
  }
}

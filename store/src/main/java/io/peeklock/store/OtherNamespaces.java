package io.peeklock.store;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The namespaces beside the standard one: folders of their own inside of its data folder. */
final class OtherNamespaces {
  private static final String FOLDER = "namespaces";

  private OtherNamespaces() {}

  /** Says that they are there and that the command did not look into them, if there are any. */
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

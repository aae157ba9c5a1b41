package io.peeklock.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the program under test lies: the launcher at the root of the project. */
final class Installation {
  private static final Path ROOT = findRoot();

  private Installation() {}

  static Path root() {
    return ROOT;
  }

  /** The launcher; refuses while the program is not built, for a test must never build it. */
  static Path launcher() {
    var built = ROOT.resolve("server/target/peeklock/lib/peeklock-server.jar");
    if (!Files.exists(built)) {
      throw new IllegalStateException(
          built + " is not there: build it first with mvn -B -pl conformance -am verify");
    }
    return ROOT.resolve("peeklock");
  }

  /** A new empty folder under {@code target}, on the disk of the project. */
  static Path folder(String name) {
    try {
      var parent = Files.createDirectories(ROOT.resolve("conformance/target/brokers"));
      return Files.createTempDirectory(parent, name + "-");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Path findRoot() {
    var start = Path.of("").toAbsolutePath();
    for (var folder = start; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("conformance/pom.xml"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no project around " + start);
  }
}

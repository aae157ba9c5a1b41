package io.peeklock.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The files of a checkout, without what a build or an editor leaves behind. */
final class Repository {

  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", "data");
  private static final Set<String> TEXT = Set.of(".java", ".md", ".xml", ".txt", ".sh", ".yaml");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private final Path root;

  private Repository(Path root) {
    this.root = root;
  }

  static Repository at(Path root) {
    return new Repository(root.toAbsolutePath().normalize());
  }

  /** The checkout that holds the working directory of this process. */
  static Repository here() {
    var folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.isDirectory(folder.resolve("build-checks"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IllegalStateException("not inside a checkout of Peeklock");
    }
    return at(folder);
  }

  Path root() {
    return root;
  }

  boolean has(String path) {
    return Files.exists(root.resolve(path));
  }

  SourceFile file(String path) {
    return read(root.resolve(path));
  }

  /** The modules, as the root POM lists them. */
  List<String> modules() {
    return MODULE.matcher(file("pom.xml").text()).results().map(m -> m.group(1)).toList();
  }

  /** Every text file, in a stable order. */
  List<SourceFile> files() {
    var found = new ArrayList<Path>();
    try {
      Files.walkFileTree(root, collectInto(found));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream().sorted().map(this::read).toList();
  }

  private SimpleFileVisitor<Path> collectInto(List<Path> found) {
    return new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        var name = String.valueOf(folder.getFileName());
        boolean skipped = NOT_OURS.contains(name) || (name.startsWith(".") && !name.equals(".ci"));
        return skipped && !folder.equals(root)
            ? FileVisitResult.SKIP_SUBTREE
            : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        var name = String.valueOf(file.getFileName());
        if (TEXT.stream().anyMatch(name::endsWith)) {
          found.add(file);
        }
        return FileVisitResult.CONTINUE;
      }
    };
  }

  private SourceFile read(Path file) {
    try {
      var path = root.relativize(file).toString().replace('\\', '/');
      return new SourceFile(path, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

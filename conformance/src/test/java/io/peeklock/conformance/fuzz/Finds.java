package io.peeklock.conformance.fuzz;

import io.peeklock.conformance.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Streams as files of hexadecimal digits: what failed, to be played again. */
final class Finds {
  private Finds() {}

  /** Writes the streams that were alive when it failed; returns their folder. */
  static Path write(long seed, long from, long to) throws IOException {
    var folder = Folders.module().resolve("target/fuzz/seed-" + seed + "-from-" + from);
    Files.createDirectories(folder);
    for (var index = from; index < to; index++) {
      var name = String.format(Locale.ROOT, "%012d.hex", index);
      Files.writeString(folder.resolve(name), FuzzStream.of(seed, index).hex() + "\n");
    }
    return folder;
  }

  /** The stream of a file, or those of a folder in their order. */
  static List<Path> files(Path fileOrFolder) throws IOException {
    if (!Files.isDirectory(fileOrFolder)) {
      return List.of(fileOrFolder);
    }
    try (var files = Files.list(fileOrFolder)) {
      return new ArrayList<>(files.sorted().toList());
    }
  }

  static FuzzStream read(Path file) throws IOException {
    return FuzzStream.ofHex(Files.readString(file));
  }
}

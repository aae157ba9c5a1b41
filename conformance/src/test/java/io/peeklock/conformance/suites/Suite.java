package io.peeklock.conformance.suites;

import io.peeklock.conformance.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The suites that there are, and what each needs of the machine. */
enum Suite {
  JAVASCRIPT("node npm"),
  PYTHON("python3"),
  GO("go"),
  RUST("cargo");

  private final String tools;

  Suite(String tools) {
    this.tools = tools;
  }

  /** As in the name of its folder. */
  String language() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Where it lies, beside this module's {@code src}. */
  Path folder() {
    return Folders.module().resolve(language());
  }

  /** What it needs and this machine lacks. */
  Optional<String> missingTool() {
    return Arrays.stream(tools.split(" ")).filter(tool -> !isOnPath(tool)).findFirst();
  }

  /**
   * What it wants of {@code serve}: a queue for each line of its list, or what the first word says
   * where there are two.
   */
  List<String> entityOptions() {
    try {
      var lines = Files.readAllLines(folder().resolve("queues.txt"));
      return lines.stream()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .map(line -> line.contains(" ") ? line.split(" ", 2) : new String[] {"queue", line})
          .flatMap(entity -> Stream.of("--" + entity[0], entity[1]))
          .toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Those that lie here. */
  static List<Suite> all() {
    var there = new ArrayList<Suite>();
    for (var suite : values()) {
      if (Files.isExecutable(suite.folder().resolve("run"))) {
        there.add(suite);
      }
    }
    return there;
  }

  private static boolean isOnPath(String tool) {
    var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
  }
}

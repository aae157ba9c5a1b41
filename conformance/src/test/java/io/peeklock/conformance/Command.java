package io.peeklock.conformance;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program of the operating system that ends by itself, soon.
 *
 * @param exitCode what it ended with
 * @param said what it printed
 */
public record Command(int exitCode, String said) {
  /** The search path of a test need not lead to the administrator's programs. */
  private static final List<String> FOLDERS =
      Stream.concat(
              Stream.of(
                  "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"),
              Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                  .filter(folder -> !folder.isEmpty()))
          .toList();

  /** Runs it to its end. */
  public static Command run(List<String> words) {
    var full = Stream.concat(Stream.of(find(words.getFirst())), words.stream().skip(1)).toList();
    try {
      var process = new ProcessBuilder(full).redirectErrorStream(true).start();
      process.getOutputStream().close();
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Command(process.waitFor(), said.strip());
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot run " + words, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in " + words, interrupted);
    }
  }

  /** Runs it; whatever goes wrong is a failure of the rig, not of the broker. */
  public static void must(String... words) {
    var command = run(List.of(words));
    if (command.exitCode() != 0) {
      throw new IllegalStateException(String.join(" ", words) + ": " + command.said());
    }
  }

  /** Whether the machine has such a program. */
  public static boolean exists(String program) {
    return FOLDERS.stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static String find(String program) {
    return FOLDERS.stream()
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .orElse(program);
  }
}

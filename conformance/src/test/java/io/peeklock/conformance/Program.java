package io.peeklock.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A command of the launcher that ends by itself.
 *
 * @param exitCode what it ended with
 * @param said all that it printed, on both streams
 */
public record Program(int exitCode, String said) {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Runs it to its end. */
  public static Program run(String... arguments) {
    var command = new ArrayList<>(List.of(Installation.launcher().toString()));
    command.addAll(List.of(arguments));
    try {
      var output = Files.createTempFile("peeklock", ".out");
      var builder =
          new ProcessBuilder(command)
              .directory(Installation.root().toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().put("PEEKLOCK_NO_BUILD", "true");
      var process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new AssertionError(command + " did not end. It said:\n" + Files.readString(output));
      }
      var said = Files.readString(output, StandardCharsets.UTF_8);
      Files.delete(output);
      return new Program(process.exitValue(), said);
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot run " + command, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + command + " ran", interrupted);
    }
  }
}

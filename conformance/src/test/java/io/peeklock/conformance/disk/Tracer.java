package io.peeklock.conformance.disk;

import io.peeklock.conformance.Folders;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** strace, which makes a chosen system call of a chosen thread fail before the kernel sees it. */
final class Tracer {
  private final Path report;
  private final List<String> command;

  /**
   * Lets one call fail.
   *
   * @param calls their names, parted by commas
   * @param error as the system calls it
   * @param when which call of each thread, from 1
   * @param only files or folders that the call must be about; none for any
   */
  Tracer(String calls, String error, int when, Path... only) {
    report = Folders.fresh("trace").resolve("report");
    command = new ArrayList<>(base(report.toString(), calls, error, when));
    for (var path : only) {
      command.addAll(List.of("-P", path.toString()));
    }
  }

  private static List<String> base(String report, String calls, String error, int when) {
    return List.of(
        "strace",
        "-f",
        "-qq",
        "-o",
        report,
        "-e",
        "trace=" + calls,
        "-e",
        "inject=" + calls + ":error=" + error + ":when=" + when);
  }

  /** What to start the broker under. */
  List<String> command() {
    return command;
  }

  /** The calls that it saw, one a line, each with its thread. */
  List<String> calls() {
    try {
      return Files.readAllLines(report);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Removes the report. */
  void remove() {
    try {
      Files.deleteIfExists(report);
      Files.deleteIfExists(report.getParent());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Ends the test as not run where there is no strace, or it may not do this. */
  static void check(Path scratch) {
    try {
      var file = Files.createFile(scratch.resolve("probe"));
      var probe = new ArrayList<>(base("/dev/null", "fdatasync", "EIO", 1));
      probe.addAll(List.of("sync", "-d", file.toString()));
      var process =
          new ProcessBuilder(probe)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      var ended = process.waitFor(20, TimeUnit.SECONDS);
      process.destroyForcibly();
      Files.delete(file);
      if (!ended || process.exitValue() == 0) {
        throw NotRun.because("strace may not tamper with system calls on this machine");
      }
    } catch (IOException missing) {
      throw NotRun.because("no strace on this machine: " + missing.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while strace was tried", interrupted);
    }
  }
}

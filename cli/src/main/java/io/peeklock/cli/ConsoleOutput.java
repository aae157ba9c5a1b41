package io.peeklock.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What a command prints for its user. A full disk or a closed pipe ends the command with a sentence
 * instead of swallowing what comes: what nobody could read must not be settled.
 */
final class ConsoleOutput {
  private static final String LOST = "the output is full or closed: what was to be printed is not";

  private ConsoleOutput() {}

  /** The standard output, which knows when a write fails; {@link System#out} forgets why. */
  static PrintWriter standard() {
    var charset =
        Boolean.getBoolean("peeklock.terminal")
            ? Charset.forName(System.getProperty("stdout.encoding", "UTF-8"))
            : StandardCharsets.UTF_8; // what goes to a file or a program stays what it was
    return new PrintWriter(new FileOutputStream(FileDescriptor.out), false, charset);
  }

  /**
   * Prints a line, and has it written when this returns.
   *
   * @throws CliFailure when it could not be
   */
  static void print(CommandSpec spec, String line) {
    spec.commandLine().getOut().println(line);
    check(spec);
  }

  /**
   * Has all written that was printed.
   *
   * @throws CliFailure when it could not be
   */
  static void check(CommandSpec spec) {
    if (spec.commandLine().getOut().checkError()) {
      throw CliFailure.output(LOST);
    }
  }
}

package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Whoever cannot print says so. */
class ConsoleOutputTest {

  /** As a full disk, or a pipe that nobody reads any more. */
  private static PrintWriter full() {
    var disk =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    return new PrintWriter(disk, false, StandardCharsets.UTF_8);
  }

  @Test
  void aLineThatCannotBeWrittenEndsTheCommand() {
    var spec = new CommandLine(new ReceiveCommand()).setOut(full()).getCommandSpec();

    assertThatThrownBy(() -> ConsoleOutput.print(spec, "a message"))
        .isInstanceOfSatisfying(
            CliFailure.class, failure -> assertThat(failure.exitCode()).isEqualTo(5));
  }

  @Test
  void everyCommandThatPrintsSaysSoInTheEnd() {
    var err = new StringWriter();

    var code =
        CliMain.commandLine().setOut(full()).setErr(new PrintWriter(err, true)).execute("--help");

    assertThat(code).isEqualTo(5);
    assertThat(err.toString()).startsWith("peeklock: the output is full or closed").hasLineCount(1);
  }
}

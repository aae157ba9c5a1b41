package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The same things in each form. */
class PrinterTest {
  private final StringWriter out = new StringWriter();

  private Printer printer(OutputOption.Form form, boolean quiet) {
    var line = new CommandLine(new ReceiveCommand()).setOut(new PrintWriter(out));
    return new Printer(line.getCommandSpec(), form, quiet);
  }

  private String two(OutputOption.Form form) {
    var printer = printer(form, false).headed("N", "WORD");
    printer.row(Map.of("n", 1), List.of("1", "one"));
    printer.row(Map.of("n", 22), List.of("22", "two"));
    printer.end();
    return out.toString();
  }

  @Test
  void rowsAreATable() {
    assertThat(two(OutputOption.Form.TABLE)).isEqualTo("N   WORD\n1   one\n22  two\n");
  }

  @Test
  void rowsAreAnArray() {
    assertThat(two(OutputOption.Form.JSON)).isEqualTo("[\n{\"n\":1},\n{\"n\":22}\n]\n");
  }

  @Test
  void rowsAreLines() {
    assertThat(two(OutputOption.Form.JSONL)).isEqualTo("{\"n\":1}\n{\"n\":22}\n");
  }

  @Test
  void nothingIsAnEmptyArray() {
    printer(OutputOption.Form.JSON, false).end();

    assertThat(out.toString()).isEqualTo("[]\n");
  }

  @Test
  void sentencesAreForPeopleThatWantThem() {
    printer(OutputOption.Form.TABLE, true).say("quiet");
    printer(OutputOption.Form.JSONL, false).say("a program");
    printer(OutputOption.Form.TABLE, false).say("done");

    assertThat(out.toString()).isEqualTo("done" + System.lineSeparator());
  }
}

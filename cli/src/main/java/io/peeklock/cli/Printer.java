package io.peeklock.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Prints what a command shows, in the form that was asked for. Nothing is sure to be written before
 * {@link #flush} or {@link #end} returns.
 */
final class Printer {
  private final CommandSpec spec;
  private final OutputOption.Form form;
  private final boolean quiet;
  private @Nullable Table table;
  private boolean isBegun;

  Printer(CommandSpec spec, OutputOption.Form form, boolean quiet) {
    this.spec = spec;
    this.form = form;
    this.quiet = quiet;
  }

  /** Whether people read it. */
  boolean isTable() {
    return form == OutputOption.Form.TABLE;
  }

  /** The headings of rows to come; in JSON there are none. */
  Printer headed(String... headings) {
    table = isTable() ? new Table(headings) : null;
    return this;
  }

  /** One of many, as a row under the headings. */
  void row(Map<String, ? extends @Nullable Object> fields, List<String> cells) {
    if (isTable()) {
      if (table == null) {
        throw new IllegalStateException("rows have headings");
      }
      table.row(cells);
    } else {
      element(fields);
    }
  }

  /** One of many for people, who get it as a line; or as more, where the text has ends of lines. */
  void text(String line) {
    spec.commandLine().getOut().println(line);
  }

  /** The only thing that there is to show, in JSON; people get it some other way. */
  void only(Map<String, ? extends @Nullable Object> fields) {
    spec.commandLine().getOut().println(Json.of(fields));
  }

  /** A line for people; where programs read, or with --quiet, there is none. */
  void say(String sentence) {
    if (isTable() && !quiet) {
      spec.commandLine().getOut().println(sentence);
    }
  }

  /** A word beside the result, such as how far it is, on the error stream; not with --quiet. */
  void note(String sentence) {
    if (!quiet) {
      spec.commandLine().getErr().println("peeklock: " + sentence);
      spec.commandLine().getErr().flush();
    }
  }

  /** One of many for programs. */
  void element(Map<String, ? extends @Nullable Object> fields) {
    var out = spec.commandLine().getOut();
    if (form == OutputOption.Form.JSON) {
      out.print(isBegun ? ",\n" : "[\n");
      isBegun = true;
      out.print(Json.of(fields));
    } else {
      out.println(Json.of(fields));
    }
  }

  /**
   * Has all written that was printed.
   *
   * @throws CliFailure when it could not be
   */
  void flush() {
    ConsoleOutput.check(spec);
  }

  /** Prints what was kept for the end, and has all written. */
  void end() {
    var out = spec.commandLine().getOut();
    if (table != null) {
      table.lines().forEach(out::println);
      table = null;
    } else if (form == OutputOption.Form.JSON) {
      out.println(isBegun ? "\n]" : "[]");
    }
    flush();
  }
}

package io.peeklock.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** In which form a command prints what it has to show, and whether it says more than that. */
class OutputOption {
  /** A form. */
  enum Form {
    /** For people. */
    TABLE,
    /** One JSON document: an array where there may be many. */
    JSON,
    /** One JSON object a line. */
    JSONL;

    @Override
    public String toString() {
      return CliMain.wordOf(this);
    }
  }

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "table, json or jsonl: one object a line (default: table).")
  private @Nullable Form form;

  @Option(names = "--json", description = "The same as --output jsonl.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print what was asked for and errors, nothing else.")
  private boolean quiet;

  /**
   * What a command prints with.
   *
   * @throws CliFailure when two forms are asked for
   */
  Printer printer() {
    if (json && form != null && form != Form.JSONL) {
      throw CliFailure.usage("--json is --output jsonl; say one of the two");
    }
    var known = spec;
    if (known == null) {
      throw new IllegalStateException("picocli sets the spec before it runs a command");
    }
    var chosen = form == null ? json ? Form.JSONL : Form.TABLE : form;
    return new Printer(known, chosen, quiet);
  }
}

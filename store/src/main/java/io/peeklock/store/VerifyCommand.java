package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verify DIR}: checks whether everything in a folder is as it was written. */
@Command(
    name = "verify",
    description = {
      "Reads every file of a data folder: each batch with its facts, each body, each checkpoint,"
          + " each body that was moved, each large body. Says what is damaged and where, and what a"
          + " start would do. Changes nothing.",
      "The broker must be stopped. For a running one, verify a backup: restore it elsewhere first."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private static final long MIB = 1 << 20;
  private static final int SAID_OF_ONE_FILE = 50;

  @Parameters(paramLabel = "DIR", description = "The data folder.")
  private Path folder = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    var out = spec.commandLine().getOut();
    Manifest.refuseIn(folder);
    try (var store = StoreFolder.take(folder)) {
      var progress =
          Progress.of(spec.commandLine().getErr(), "verify", Verification.bytesIn(store));
      var result = Verification.of(store, progress);
      print(result.findings(), out);
      result.passedOver().forEach(name -> out.println("not read  " + name));
      OtherNamespaces.mention(folder, out);
      out.println(
          String.format(
              Locale.ROOT,
              "read      %d files, %d MiB: %d batches, %d bodies",
              result.files(),
              (result.bytes() + MIB - 1) / MIB,
              result.batches(),
              result.bodies()));
      var refusal = result.dryRun().refusal();
      if (refusal == null) {
        Contents.lines(result.dryRun().machine()).forEach(line -> out.println("holds     " + line));
        out.println("start     a broker would start");
      } else {
        out.println("start     a broker would refuse to start: " + refusal);
      }
      out.println(
          result.isWell()
              ? "all is well"
              : "there is damage; see docs/guide/store.md for what to do");
      out.flush();
      return result.isWell() ? StoreMain.WELL : StoreMain.DAMAGED;
    }
  }

  /** Prints the findings, but only the first of a file that has very many. */
  private static void print(List<Finding> findings, PrintWriter out) {
    var said = new TreeMap<String, Integer>();
    for (var finding : findings) {
      if (said.merge(finding.file(), 1, Integer::sum) <= SAID_OF_ONE_FILE) {
        out.println(finding);
      }
    }
    said.forEach(
        (file, count) -> {
          if (count > SAID_OF_ONE_FILE) {
            out.println("and so on " + file + ": " + (count - SAID_OF_ONE_FILE) + " more");
          }
        });
  }
}

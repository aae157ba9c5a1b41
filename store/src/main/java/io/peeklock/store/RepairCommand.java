package io.peeklock.store;

import io.peeklock.journal.file.UnfinishedFolder;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code repair DIR --to NEW}: saves what can be saved. */
@Command(
    name = "repair",
    description = {
      "Writes a new data folder with all that can be saved of a damaged one, which is not touched."
          + " Says for each queue what is kept, what is lost and what is uncertain.",
      "A message whose batch and body are intact is always kept: one that was completed in a batch"
          + " that is lost may come back."
    },
    mixinStandardHelpOptions = true)
final class RepairCommand implements Callable<Integer> {
  private static final String KEY = "namespace-key";

  @Parameters(paramLabel = "DIR", description = "The damaged data folder.")
  private Path folder = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "NEW",
      required = true,
      description =
          "The data folder to make; it must be empty or not there, or one that was not finished.")
  private Path to = Path.of("");

  @Option(
      names = "--accept-loss",
      description =
          "Write it even though something is lost. Without this only the plan is printed.")
  private boolean acceptLoss;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    UnfinishedFolder.refuseUnlessFree(to);
    var out = spec.commandLine().getOut();
    Manifest.refuseIn(folder);
    try (var store = StoreFolder.takeDamaged(folder)) {
      if (!store.tellsFormat()) {
        out.println(Finding.lacksTheFormat());
      }
      var salvage = salvage(store);
      try (var bodies = new BodySource(store, salvage)) {
        var lostBodies = new LostBodyFilter(salvage, bodies);
        lostBodies.look();
        plan(salvage, out);
        OtherNamespaces.mention(folder, out);
        if (salvage.hasLoss() && !acceptLoss) {
          out.println("nothing is written; say --accept-loss to go on");
          out.flush();
          return StoreMain.DAMAGED;
        }
        RepairedLog.write(to, salvage, lostBodies, bodies);
      }
    }
    finish(out);
    return StoreMain.WELL;
  }

  private Salvage salvage(StoreFolder store) throws IOException {
    var bytes = 0L;
    for (var name : store.names()) {
      var kind = StoreFolder.kindOf(name);
      bytes += kind == Kind.SEGMENT || kind == Kind.CHECKPOINT ? store.bytes(name) : 0;
    }
    var progress = Progress.of(spec.commandLine().getErr(), "repair", bytes);
    var salvage = Salvage.of(store, progress);
    progress.end();
    return salvage;
  }

  private static void plan(Salvage salvage, PrintWriter out) {
    salvage.findings().forEach(out::println);
    if (salvage.lostBatches() > 0) {
      out.println("lost      " + salvage.lostBatches() + " batches at least");
    }
    for (var ledger : salvage.ledgers().values()) {
      out.println((ledger.hasLoss() ? "LOSS      " : "saved     ") + ledger);
    }
    out.flush();
  }

  private void finish(PrintWriter out) throws IOException {
    if (Files.exists(folder.resolve(KEY))) {
      var progress = Progress.of(spec.commandLine().getErr(), "repair", 0);
      CheckedFiles.copy(folder.resolve(KEY), to.resolve(KEY), progress);
      CheckedFiles.syncFolder(to);
    }
    try (var store = StoreFolder.takeUnfinished(to)) {
      var dryRun = store.dryRun();
      if (dryRun.refusal() != null) {
        throw new IOException("what was written would not start: " + dryRun.refusal());
      }
      Contents.lines(dryRun.machine()).forEach(line -> out.println("holds     " + line));
      UnfinishedFolder.finish(to);
    }
    out.println("repaired  into " + to + "; " + folder + " is as it was");
    out.println("serve it  " + OtherNamespaces.serving(to, folder));
    out.flush();
  }
}

package io.peeklock.store;

import io.peeklock.journal.file.UnfinishedFolder;
import io.peeklock.journal.inspection.StoreFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code restore BACKUP --to DIR}: creates a data folder from a backup. */
@Command(
    name = "restore",
    description = {
      "Makes a data folder of a backup. Every file is compared with the checksum that the backup"
          + " was taken with; one that differs ends it. The backup stays as it is."
    },
    mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {
  @Parameters(paramLabel = "BACKUP", description = "The folder of the backup.")
  private Path backup = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description =
          "The data folder to make; it must be empty or not there, or one that was not finished.")
  private Path folder = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    var manifest = Manifest.read(backup);
    restore(manifest);
    var out = spec.commandLine().getOut();
    try (var store = StoreFolder.takeUnfinished(folder)) {
      var dryRun = store.dryRun();
      if (dryRun.refusal() != null) {
        throw new IOException("a broker would refuse to start: " + dryRun.refusal());
      }
      Contents.lines(dryRun.machine()).forEach(line -> out.println("holds     " + line));
      UnfinishedFolder.finish(folder);
    }
    out.println("restored  all up to batch " + manifest.index() + " to " + folder);
    out.println("serve it  " + OtherNamespaces.serving(folder, folder));
    out.flush();
    return StoreMain.WELL;
  }

  private void restore(Manifest manifest) throws IOException {
    var bytes = manifest.entries().stream().mapToLong(Manifest.Entry::bytes).sum();
    var progress = Progress.of(spec.commandLine().getErr(), "restore", bytes);
    try (var made = UnfinishedFolder.begin(folder, "store restore")) {
      var done = false;
      try {
        for (var entry : manifest.entries()) {
          restore(entry, made, progress);
        }
        made.sync();
        done = true;
      } finally {
        progress.end();
        if (!done) {
          made.clear();
        }
      }
    }
  }

  private void restore(Manifest.Entry entry, UnfinishedFolder made, Progress progress)
      throws IOException {
    var from = backup.resolve(entry.stored());
    if (!Files.exists(from)) {
      throw new IOException("the backup is damaged: " + from + " is missing");
    }
    CheckedFiles.Copied copied;
    try (var to = made.create(entry.name())) {
      copied = CheckedFiles.copy(from, to::write, progress);
      to.sync();
    }
    if (copied.bytes() != entry.bytes() || copied.check() != entry.check()) {
      throw new IOException(
          "the backup is damaged: " + from + " is not what was backed up; nothing was restored");
    }
  }
}

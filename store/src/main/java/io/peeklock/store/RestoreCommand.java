package io.peeklock.store;

import io.peeklock.journal.StoreFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code restore BACKUP --to DIR}: makes a data folder of a backup. */
@Command(
    name = "restore",
    description = {
      "Makes a data folder of a backup. Every file is compared with the checksum that the backup"
          + " was taken with; one that differs ends it. The backup stays as it is."
    },
    mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {
  private static final String FORMAT = "format";

  @Parameters(paramLabel = "BACKUP", description = "The folder of the backup.")
  private Path backup = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "The data folder to make; it must be empty or not there.")
  private Path folder = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    var manifest = Manifest.read(backup);
    if (!CheckedFiles.isEmpty(folder)) {
      throw new IOException(folder + " is not empty; nothing is restored over what is there");
    }
    restore(manifest);
    var out = spec.commandLine().getOut();
    try (var store = StoreFolder.take(folder)) {
      var rehearsal = store.rehearse();
      if (rehearsal.refusal() != null) {
        throw new IOException("a broker would refuse to start: " + rehearsal.refusal());
      }
      Contents.lines(rehearsal.machine()).forEach(line -> out.println("holds     " + line));
    }
    out.println("restored  all up to batch " + manifest.index() + " to " + folder);
    out.println("serve it  ./peeklock serve --data " + folder);
    out.flush();
    return StoreMain.WELL;
  }

  private void restore(Manifest manifest) throws IOException {
    CheckedFiles.makeFolder(folder.resolve("large"));
    var bytes = manifest.entries().stream().mapToLong(Manifest.Entry::bytes).sum();
    var progress = Progress.of(spec.commandLine().getErr(), "restore", bytes);
    var written = new ArrayList<Path>();
    var done = false;
    try {
      for (var entry : inOrder(manifest)) {
        written.add(folder.resolve(entry.name()));
        restore(entry, progress);
      }
      CheckedFiles.syncFolder(folder.resolve("large"));
      CheckedFiles.syncFolder(folder);
      done = true;
    } finally {
      progress.end();
      if (!done) {
        for (var file : written) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /** The format last: without it no broker starts on half a folder. */
  private static List<Manifest.Entry> inOrder(Manifest manifest) {
    var entries = new ArrayList<>(manifest.entries());
    entries.sort(
        (one, other) -> Boolean.compare(one.name().equals(FORMAT), other.name().equals(FORMAT)));
    return entries;
  }

  private void restore(Manifest.Entry entry, Progress progress) throws IOException {
    var from = backup.resolve(entry.stored());
    if (!Files.exists(from)) {
      throw new IOException("the backup is damaged: " + from + " is missing");
    }
    var copied = CheckedFiles.copy(from, folder.resolve(entry.name()), progress);
    if (copied.bytes() != entry.bytes() || copied.check() != entry.check()) {
      throw new IOException(
          "the backup is damaged: " + from + " is not what was backed up; nothing was restored");
    }
  }
}

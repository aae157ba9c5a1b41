package io.peeklock.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code backup DIR --to BACKUP}: copies a folder while its broker runs. */
@Command(
    name = "backup",
    description = {
      "Takes a backup of a data folder, of a running broker too: everything that was accepted"
          + " before it began is in it, nothing that was completed before comes back.",
      "Files that never change again are hard links where BACKUP is on the same file system; a"
          + " backup on another disk survives the loss of this one. Taken again to the same place,"
          + " only what is new is added."
    },
    mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {
  private static final long MIB = 1 << 20;

  @Parameters(paramLabel = "DIR", description = "The data folder.")
  private Path folder = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "BACKUP",
      required = true,
      description = "A folder of its own; the backup in it is brought up to date.")
  private Path backup = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    var taken = Backup.of(folder, backup, spec.commandLine().getErr());
    var out = spec.commandLine().getOut();
    var bytes = taken.manifest().entries().stream().mapToLong(Manifest.Entry::bytes).sum();
    Contents.lines(taken.dryRun().machine()).forEach(line -> out.println("holds     " + line));
    out.println(
        String.format(
            Locale.ROOT,
            "backup    of all up to batch %d in %s: %d files, %d of them new, %d MiB",
            taken.manifest().index(),
            backup,
            taken.manifest().entries().size(),
            taken.fresh(),
            (bytes + MIB - 1) / MIB));
    OtherNamespaces.mention(folder, out);
    out.flush();
    return StoreMain.WELL;
  }
}

package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dump DIR}: shows the contents of a log. */
@Command(
    name = "dump",
    description = {
      "Prints what a log or a checkpoint says, as JSON, one object a line: each batch with its"
          + " index, time, facts and bodies. Damage is a line of its own. The broker must be"
          + " stopped."
    },
    mixinStandardHelpOptions = true)
final class DumpCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The data folder.")
  private Path folder = Path.of("");

  @Option(names = "--from", paramLabel = "INDEX", description = "The first batch to show.")
  private long from;

  @Option(names = "--to", paramLabel = "INDEX", description = "The last batch to show.")
  private long to = Long.MAX_VALUE;

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "Only facts about this queue or its dead-letter queue.")
  private @Nullable String queue;

  @Option(names = "--bodies", description = "Show the bodies too, in base 64.")
  private boolean bodies;

  @Option(
      names = "--checkpoint",
      description = "Show what the newest checkpoint says, not the log.")
  private boolean checkpoint;

  @Override
  public Integer call() throws IOException {
    var out = new BufferedOutputStream(System.out, 1 << 16); // not ours to close
    Manifest.refuseIn(folder);
    try (var store = StoreFolder.take(folder);
        var dump = new Dump(store, new Dump.Choice(from, to, queue, bodies), out)) {
      if (checkpoint) {
        dump.checkpoint();
      } else {
        dump.log();
      }
    }
    out.flush();
    return StoreMain.WELL;
  }
}

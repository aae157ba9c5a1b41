package io.peeklock.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Writes messages down, which stay where they are. */
@Command(
    name = "export",
    description = "Write messages as JSON lines, which import reads; they stay where they are.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "All messages in any state are written, unless something says which. For example:",
      "  peeklock export orders --file orders.jsonl",
      "  peeklock export orders --dead-letter | grep broken"
    })
final class ExportCommand implements Callable<Integer> {
  @Mixin private SubQueueOption part = new SubQueueOption();
  @Mixin private ExportOption export = new ExportOption();

  @Override
  public Integer call() {
    return export.run(part::address);
  }
}

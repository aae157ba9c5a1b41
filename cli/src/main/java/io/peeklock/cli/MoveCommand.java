package io.peeklock.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves messages from a queue or subscription into another. */
@Command(
    name = "move",
    description = {
      "Move messages into another queue or topic.",
      "Each is moved by a transaction: exactly once, whatever ends in between. Only active",
      "messages can be moved, and none of sessions."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "For example:",
      "  peeklock move orders --all --to orders-2",
      "  peeklock move events/audit --subject old --to parked",
      "Messages before those that are wanted stay locked until the command ends."
    })
final class MoveCommand implements Callable<Integer> {
  @Mixin private SubQueueOption part = new SubQueueOption();
  @Mixin private MoveOption move = new MoveOption();

  @Option(
      names = "--to",
      required = true,
      paramLabel = "QUEUE",
      description = "The queue or topic to move to.")
  private String to = "";

  @Override
  public Integer call() {
    return move.run(part::address, from -> to, "moved");
  }
}

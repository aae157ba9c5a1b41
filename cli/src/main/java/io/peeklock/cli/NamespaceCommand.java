package io.peeklock.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The namespace that the connection string leads to. */
@Command(
    name = "namespace",
    description = "Empty a namespace.",
    subcommands = NamespaceCommand.Empty.class,
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "For example:",
      "  peeklock namespace empty --keep-entities",
    })
final class NamespaceCommand {

  /** Empties it. */
  @Command(
      name = "empty",
      description = {
        "Delete all queues, topics and subscriptions with their messages, in one step.",
        "Nobody is asked whether this was meant."
      },
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Empty implements Callable<Integer> {
    @Mixin private AdministrationOption administration = new AdministrationOption();

    @Option(
        names = "--keep-entities",
        description = "Delete messages only, whatever their state; entities keep all they are.")
    private boolean keepEntities;

    @Override
    public Integer call() {
      try (var api = administration.open()) {
        api.empty(keepEntities);
        administration.say(
            keepEntities ? "all messages deleted" : "all entities and messages deleted",
            Map.of("deleted", true));
      }
      return 0;
    }
  }
}

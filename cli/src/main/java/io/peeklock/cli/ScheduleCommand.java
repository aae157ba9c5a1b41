package io.peeklock.cli;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Messages that are scheduled for later. */
@Command(
    name = "schedule",
    description = "List and cancel messages that are scheduled for later.",
    subcommands = {ScheduleCommand.Lists.class, ScheduleCommand.Cancel.class},
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "For example:",
      "  peeklock send orders later --delay 10m",
      "  peeklock schedule list orders",
      "  peeklock schedule cancel orders 17"
    })
final class ScheduleCommand {
  private static final String SCHEDULED = "scheduled";

  private ScheduleCommand() {}

  /** Lists them. */
  @Command(
      name = "list",
      description = "List what is scheduled, with when it is due.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Lists implements Callable<Integer> {
    @Mixin private ListingOption listing = new ListingOption();

    @Override
    public Integer call() {
      return listing.run(
          name -> name,
          SCHEDULED,
          List.of(
              ListingOption.NUMBER,
              new ListingOption.Column("DUE", message -> message.annotation(MessageJson.SCHEDULED)),
              ListingOption.MESSAGE_ID,
              ListingOption.SESSION,
              ListingOption.BODY));
    }
  }

  /** Cancels them. */
  @Command(
      name = "cancel",
      description = "Delete scheduled messages before they are due.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Cancel implements Callable<Integer> {
    @Mixin private BrokerOption broker = new BrokerOption();
    @Mixin private Selection selection = new Selection();
    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      selection.check();
      var printer = output.printer();
      return broker.talk(
          (connection, incoming) -> {
            var name = selection.name(connection);
            try (var node = Management.of(connection, name, incoming)) {
              var numbers = Browse.of(node, SCHEDULED).numbers(selection);
              cancel(node, numbers);
              if (printer.isTable()) {
                printer.say(MoveOption.messages(numbers.size()) + " cancelled");
              } else {
                printer.only(Map.of("cancelled", numbers.size()));
              }
              printer.flush();
              return numbers.isEmpty() ? CliFailure.NOTHING : 0;
            }
          });
    }

    /** One at a time: one that has just become due does not keep the others. */
    private static void cancel(Management node, Set<Long> numbers) throws ClientException {
      for (var number : numbers) {
        node.ask("cancel-scheduled-message", Map.of("sequence-numbers", new long[] {number}));
      }
    }
  }
}

package io.peeklock.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The dead letters of a queue or subscription. */
@Command(
    name = "dead-letters",
    description = "Look at dead letters, send them again, move or delete them.",
    subcommands = {
      DeadLettersCommand.Lists.class,
      DeadLettersCommand.Show.class,
      DeadLettersCommand.Resubmit.class,
      DeadLettersCommand.Move.class,
      DeadLettersCommand.Delete.class,
      DeadLettersCommand.Export.class
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "For example:",
      "  peeklock dead-letters list orders",
      "  peeklock dead-letters resubmit orders 17 23",
      "  peeklock dead-letters resubmit orders --reason MaxDeliveryCountExceeded",
      "  peeklock dead-letters move orders --all --to orders-parked",
      "  peeklock dead-letters delete events/audit --older-than 30d"
    })
final class DeadLettersCommand {
  private static final List<ListingOption.Column> COLUMNS =
      List.of(
          ListingOption.NUMBER,
          ListingOption.ENQUEUED,
          new ListingOption.Column("DELIVERIES", AdvancedMessage::deliveryCount),
          ListingOption.MESSAGE_ID,
          new ListingOption.Column("REASON", message -> message.property(Selection.REASON)),
          new ListingOption.Column(
              "DESCRIPTION", message -> message.property(Selection.DESCRIPTION)));

  private DeadLettersCommand() {}

  /** Which of the two dead-letter queues that a queue has. */
  static final class Which {
    @Option(
        names = "--transfer",
        description = "Those that it could not forward or send on, not those of its own.")
    private boolean transfer;

    /** Where they are. */
    String address(String queue) {
      return queue + (transfer ? SubQueueOption.TRANSFER : "") + SubQueueOption.DEAD_LETTERS;
    }
  }

  /** Lists them. */
  @Command(
      name = "list",
      description = "List dead letters with what they died of, the oldest first.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Lists implements Callable<Integer> {
    @Mixin private Which which = new Which();
    @Mixin private ListingOption listing = new ListingOption();

    @Override
    public Integer call() {
      return listing.run(which::address, null, COLUMNS);
    }
  }

  /** Shows some. */
  @Command(
      name = "show",
      description = "Show all that is known of dead letters.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Show implements Callable<Integer> {
    @Mixin private BrokerOption broker = new BrokerOption();
    @Mixin private Which which = new Which();
    @Mixin private Selection selection = new Selection();
    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      selection.check();
      var printer = output.printer();
      return broker.talk(
          (connection, incoming) -> {
            var address = which.address(selection.name(connection));
            try (var node = Management.of(connection, address, incoming)) {
              var found =
                  Browse.of(node).each(selection, each -> MessageDetails.print(each, printer));
              printer.end();
              return found == 0 ? CliFailure.NOTHING : 0;
            }
          });
    }
  }

  /** Sends them again. */
  @Command(
      name = "resubmit",
      description = {
        "Put dead letters back where they came from.",
        "That is the queue, or for those of a subscription its topic, whose subscriptions all get",
        "copies by their rules.",
        "Each is moved by a transaction: exactly once, whatever ends in between."
      },
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Resubmit implements Callable<Integer> {
    @Mixin private Which which = new Which();
    @Mixin private MoveOption move = new MoveOption();

    @Option(
        names = "--to",
        paramLabel = "QUEUE",
        description = "Another queue or topic than that where they came from.")
    private @Nullable String to;

    @Override
    public Integer call() {
      return move.run(
          which::address, from -> to == null ? EntityName.topicOf(from) : to, "resubmitted");
    }
  }

  /** Moves them elsewhere. */
  @Command(
      name = "move",
      description = {
        "Move dead letters into another queue or topic.",
        "Each is moved by a transaction: exactly once, whatever ends in between."
      },
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Move implements Callable<Integer> {
    @Mixin private Which which = new Which();
    @Mixin private MoveOption move = new MoveOption();

    @Option(
        names = "--to",
        required = true,
        paramLabel = "QUEUE",
        description = "The queue or topic.")
    private String to = "";

    @Override
    public Integer call() {
      return move.run(which::address, from -> to, "moved");
    }
  }

  /** Deletes them. */
  @Command(
      name = "delete",
      description = "Delete dead letters for good. Nobody is asked whether this was meant.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Delete implements Callable<Integer> {
    @Mixin private BrokerOption broker = new BrokerOption();
    @Mixin private Which which = new Which();
    @Mixin private Selection selection = new Selection();
    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      selection.check();
      var printer = output.printer();
      return broker.talk(
          (connection, incoming) -> {
            var address = which.address(selection.name(connection));
            return MoveOption.move(
                new Mover(connection, incoming, printer, false),
                MoveOption.find(connection, incoming, address, selection),
                new MoveOption.Way(address, null, "deleted"),
                printer);
          });
    }
  }

  /** Writes them down. */
  @Command(
      name = "export",
      description =
          "Write dead letters as JSON lines, which import reads; they stay where they are.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Export implements Callable<Integer> {
    @Mixin private Which which = new Which();
    @Mixin private ExportOption export = new ExportOption();

    @Override
    public Integer call() {
      return export.run(which::address);
    }
  }
}

package io.peeklock.cli;

import picocli.CommandLine.Command;

/** A kind of thing that is administered; its verbs are below it. */
@Command(synopsisSubcommandLabel = "COMMAND", mixinStandardHelpOptions = true, sortOptions = false)
abstract class NounCommand {
  abstract Noun noun();

  /** Queues. */
  @Command(
      name = "queue",
      description = "Create, list, show, update and delete queues.",
      subcommands = {
        CreateCommand.class,
        ListCommand.class,
        ShowCommand.class,
        UpdateCommand.class,
        DeleteCommand.class
      },
      footer = {
        "",
        "For example:",
        "  peeklock queue create orders LockDuration=PT30S MaxDeliveryCount=5",
        "  peeklock queue update orders Status=SendDisabled",
        "  peeklock queue list"
      })
  static final class Queues extends NounCommand {
    @Override
    Noun noun() {
      return Noun.QUEUE;
    }
  }

  /** Topics. */
  @Command(
      name = "topic",
      description = "Create, list, show, update and delete topics.",
      subcommands = {
        CreateCommand.class,
        ListCommand.class,
        ShowCommand.class,
        UpdateCommand.class,
        DeleteCommand.class
      },
      footer = {
        "",
        "For example:",
        "  peeklock topic create events DefaultMessageTimeToLive=P14D",
        "  peeklock topic show events"
      })
  static final class Topics extends NounCommand {
    @Override
    Noun noun() {
      return Noun.TOPIC;
    }
  }

  /** Subscriptions. */
  @Command(
      name = "subscription",
      description = "Create, list, show, update and delete subscriptions of a topic.",
      subcommands = {
        CreateCommand.class,
        ListCommand.class,
        ShowCommand.class,
        UpdateCommand.class,
        DeleteCommand.class
      },
      footer = {
        "",
        "A subscription is called TOPIC/SUBSCRIPTION. For example:",
        "  peeklock subscription create events/audit MaxDeliveryCount=3",
        "  peeklock subscription list events"
      })
  static final class Subscriptions extends NounCommand {
    @Override
    Noun noun() {
      return Noun.SUBSCRIPTION;
    }
  }

  /** Rules. */
  @Command(
      name = "rule",
      description = "Create, list, show, update and delete rules of a subscription.",
      subcommands = {
        RuleCommand.Create.class,
        ListCommand.class,
        ShowCommand.class,
        RuleCommand.Update.class,
        DeleteCommand.class
      },
      footer = {
        "",
        "A rule is called TOPIC/SUBSCRIPTION/RULE. For example:",
        "  peeklock rule create events/audit/dear --filter \"price > 100\"",
        "  peeklock rule create events/audit/red --correlation Label=red",
        "  peeklock rule delete 'events/audit/$Default'"
      })
  static final class Rules extends NounCommand {
    @Override
    Noun noun() {
      return Noun.RULE;
    }
  }
}

package io.peeklock.cli;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where to read from: a queue or subscription, or one of its dead-letter queues. */
final class ReadOption {
  private static final String DEAD_LETTERS = "/$deadletterqueue";

  @Parameters(
      index = "0",
      paramLabel = "QUEUE",
      description = "A queue, or TOPIC/Subscriptions/NAME.")
  private String queue = "";

  @Option(names = "--dead-letter", description = "Its dead letters instead.")
  private boolean deadLetter;

  @Option(
      names = "--transfer-dead-letter",
      description = "What it could not forward or send on instead.")
  private boolean transferDeadLetter;

  /**
   * The address that a link is opened to.
   *
   * @throws CliFailure for one that ends in a slash, and for two dead-letter queues at once
   */
  String address() {
    if (deadLetter && transferDeadLetter) {
      throw CliFailure.usage("--dead-letter and --transfer-dead-letter are two queues: say one");
    }
    var address = notOpen(queue);
    if (transferDeadLetter) {
      return address + "/$transfer" + DEAD_LETTERS;
    }
    return deadLetter ? address + DEAD_LETTERS : address;
  }

  /** The same name, unless a shell has taken a part of it for a variable. */
  static String notOpen(String name) {
    if (name.endsWith("/")) {
      throw CliFailure.usage(
          "\""
              + name
              + "\" ends in a slash. A shell takes $deadletterqueue for a variable: say"
              + " --dead-letter, or write the name in single quotes");
    }
    return name;
  }
}

package io.peeklock.cli;

import picocli.CommandLine.Option;

/** Whether the dead letters of a queue are meant, not its messages. */
final class SubQueueOption {
  static final String DEAD_LETTERS = "/$deadletterqueue";
  static final String TRANSFER = "/$transfer";

  @Option(names = "--dead-letter", description = "Its dead letters instead.")
  private boolean deadLetter;

  @Option(
      names = "--transfer-dead-letter",
      description = "What it could not forward or send on instead.")
  private boolean transferDeadLetter;

  /**
   * The address that a link is opened to.
   *
   * @throws CliFailure for two dead-letter queues at once
   */
  String address(String name) {
    if (deadLetter && transferDeadLetter) {
      throw CliFailure.usage("--dead-letter and --transfer-dead-letter are two queues: say one");
    }
    if (transferDeadLetter) {
      return name + TRANSFER + DEAD_LETTERS;
    }
    return deadLetter ? name + DEAD_LETTERS : name;
  }
}

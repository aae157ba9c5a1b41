package io.peeklock.cli;

import picocli.CommandLine.Parameters;

/** Of which queue or subscription. */
class QueueParameter {
  @Parameters(
      index = "0",
      paramLabel = "QUEUE",
      description = "A queue, or TOPIC/Subscriptions/NAME.")
  private String queue = "";

  /**
   * What was written.
   *
   * @throws CliFailure for one that ends in a slash
   */
  String name() {
    return notOpen(queue);
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

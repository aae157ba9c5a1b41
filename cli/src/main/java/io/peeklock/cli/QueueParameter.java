package io.peeklock.cli;

import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import picocli.CommandLine.Parameters;

/** Of which queue or subscription. */
class QueueParameter {
  @Parameters(
      index = "0",
      paramLabel = "QUEUE",
      description = "A queue, or a subscription: TOPIC/NAME.")
  private String queue = "";

  /**
   * What was written.
   *
   * @throws CliFailure for one that ends in a slash
   */
  String name() {
    return notOpen(queue);
  }

  /** The name by which messages are known, also where it was a subscription as TOPIC/NAME. */
  String name(Connection connection) throws ClientException {
    return EntityName.resolved(connection, name());
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

package io.peeklock.cli;

import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import picocli.CommandLine.Mixin;

/** Where to read from: a queue or subscription, or one of its dead-letter queues. */
final class ReadOption extends QueueParameter {
  @Mixin private SubQueueOption part = new SubQueueOption();

  /**
   * Checks what was said, before there is a connection.
   *
   * @throws CliFailure for a name that ends in a slash, and for two dead-letter queues at once
   */
  void check() {
    part.address(name());
  }

  /**
   * The address that a link is opened to.
   *
   * @throws CliFailure as {@link #check} does
   */
  String address(Connection connection) throws ClientException {
    return part.address(name(connection));
  }
}

package io.peeklock.cli;

import picocli.CommandLine.Mixin;

/** Where to read from: a queue or subscription, or one of its dead-letter queues. */
final class ReadOption extends QueueParameter {
  @Mixin private SubQueueOption part = new SubQueueOption();

  /**
   * The address that a link is opened to.
   *
   * @throws CliFailure for one that ends in a slash, and for two dead-letter queues at once
   */
  String address() {
    return part.address(name());
  }
}

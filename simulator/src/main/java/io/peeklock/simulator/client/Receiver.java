package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.runtime.Sender;
import org.jspecify.annotations.Nullable;

/** One who receives from a queue, or waits for a session of it. */
final class Receiver {
  final String name;
  final QueueId queue;
  final SimEndpoint endpoint;
  long limit;
  boolean isDraining;
  boolean isOver;
  @Nullable String sessionId;

  Receiver(String name, QueueId queue, Sender sender, SimEndpoint.Listener listener) {
    this.name = name;
    this.queue = queue;
    this.endpoint = new SimEndpoint(sender, listener, this);
  }
}

package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.runtime.Sender;
import org.jspecify.annotations.Nullable;

/** One who receives from a queue, or waits for a session of it. */
final class Receiver {
  final String name;
  final QueueId queue;
  final Party party;
  long limit;
  long taken;
  boolean isDraining;
  boolean isOver;
  @Nullable String sessionId;

  Receiver(String name, QueueId queue, Sender sender, Party.Listener listener) {
    this.name = name;
    this.queue = queue;
    this.party = new Party(sender, listener, this);
  }
}

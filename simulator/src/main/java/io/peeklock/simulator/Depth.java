package io.peeklock.simulator;

import io.peeklock.amqp.message.StoredMessages;
import io.peeklock.runtime.MessageFormat;
import io.peeklock.simulator.client.Client;
import io.peeklock.simulator.client.SimMessageFormat;
import io.peeklock.simulator.frames.FrameClients;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Clients;
import io.peeklock.simulator.world.World;

/** Where the clients of a run meet the broker. */
enum Depth {
  /** They ask the shard, and are told in the order of its decisions. */
  SHARD,
  /** They speak AMQP with the edge, over connections. */
  FRAMES;

  /** What {@code ./peeklock simulate} is told to have it, with a blank; nothing for the shard. */
  String option() {
    return switch (this) {
      case SHARD -> "";
      case FRAMES -> "--frames ";
    };
  }

  /** Of the messages that they send. */
  MessageFormat format() {
    return switch (this) {
      case SHARD -> new SimMessageFormat();
      case FRAMES -> new StoredMessages();
    };
  }

  /** The clients of a world, who may differ by the seed. */
  Clients clients(World world, Auditor auditor, long seed) {
    return switch (this) {
      case SHARD -> new Client(world, auditor);
      case FRAMES -> new FrameClients(world, auditor, seed);
    };
  }
}

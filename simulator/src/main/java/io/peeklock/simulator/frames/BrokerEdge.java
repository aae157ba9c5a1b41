package io.peeklock.simulator.frames;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.peeklock.amqp.AmqpEdge;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Secret;
import io.peeklock.simulator.world.BrokerFailed;
import io.peeklock.simulator.world.World;
import java.util.ArrayList;
import java.util.List;

/** The edge of one process of the broker: its event loop, its memory, what connections may hold. */
final class BrokerEdge {
  static final String LOGIN = Policy.ROOT_NAME;
  static final String KEY = "a key that no client forgets";

  private static final long LINKS_BYTES = 8 << 20;
  private static final long BUFFER_BYTES = 32 << 20;

  private final SimulatedLoop loop;
  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
  private final AmqpBudgets budgets =
      new AmqpBudgets(
          new Budget(LINKS_BYTES),
          new Budget(LINKS_BYTES),
          new Budget(BUFFER_BYTES),
          new Budget(BUFFER_BYTES),
          new Budget(BUFFER_BYTES),
          new Budget(LINKS_BYTES));
  private final Shard shard;
  private final AmqpEdge edge;

  /** The edge in front of a shard. */
  BrokerEdge(World world, Shard shard) {
    this.loop = new SimulatedLoop(world);
    this.shard = shard;
    var access = new AccessControl(List.of(Policy.root(Secret.of(KEY))));
    var settings = AmqpSettings.defaults("localhost", "simulated", world.clock());
    this.edge = new AmqpEdge(shard, access, settings, budgets);
  }

  /** Its end of a new connection. */
  SimulatedSocket accept() {
    return loop.call(() -> new SimulatedSocket(loop, memory, edge.newConnectionHandler(true)));
  }

  /**
   * All connections are closed: what they took must have been given back.
   *
   * @throws BrokerFailed when something was not
   */
  void checkNothingIsLeft() {
    var left = new ArrayList<String>();
    note(left, "connections", edge.liveConnections());
    note(left, "bytes of network memory", memory.metric().usedHeapMemory());
    note(left, "bytes of direct memory", memory.metric().usedDirectMemory());
    note(left, "bytes of deliveries under way", shard.room().useUnderWay().taken());
    budgets.uses().forEach(use -> note(left, "of the budget " + use.name(), use.taken()));
    if (!left.isEmpty()) {
      throw new BrokerFailed("connections are closed and have left " + left);
    }
  }

  private static void note(List<String> left, String what, long amount) {
    if (amount != 0) {
      left.add(amount + " " + what);
    }
  }
}

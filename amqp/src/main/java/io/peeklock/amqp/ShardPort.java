package io.peeklock.amqp;

import io.peeklock.kernel.Effect;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Endpoint;
import org.jspecify.annotations.Nullable;

/** A link as the shard knows it: carries what is told on the shard's home to the event loop. */
final class ShardPort extends Endpoint {
  private final NodeLink owner;
  private final AmqpConnection connection;
  private final EventLoopContext desk;

  /** All links of a connection are one sender: settlements of several become one request. */
  ShardPort(NodeLink owner) {
    super(owner.connection.sender());
    this.owner = owner;
    this.connection = owner.connection;
    this.desk = owner.connection.desk();
  }

  @Override
  public void tell(Effect effect, @Nullable Bodies bodies) {
    desk.tell(owner, effect, bodies);
  }

  @Override
  public void flush() {
    desk.handOver();
  }

  @Override
  public void resume() {
    desk.later(connection, () -> connection.goOn(ReadPauses.MAILBOX));
  }

  @Override
  public void unreadable(String reason) {
    desk.later(connection, () -> owner.unreadable(reason));
  }

  @Override
  public void lost(Throwable cause) {
    desk.execute(connection, () -> connection.fail(cause));
  }

  @Override
  public void execute(Runnable task) {
    desk.execute(connection, task);
  }
}

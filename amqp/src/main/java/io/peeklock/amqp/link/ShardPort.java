package io.peeklock.amqp.link;

import io.peeklock.amqp.limit.ReadPauses;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of a link at the shard: passes effects from the shard's thread to the event loop.
 */
public final class ShardPort extends Endpoint {
  private final NodeLink owner;
  private final LinkConnection connection;
  private final EventLoopContext loopContext;

  /**
   * An endpoint with the connection's sender, as settlements of several links become one request.
   */
  public ShardPort(NodeLink owner) {
    super(owner.connection.sender());
    this.owner = owner;
    this.connection = owner.connection;
    this.loopContext = owner.connection.loopContext();
  }

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    loopContext.onEffect(connection, owner, effect, bodies);
  }

  @Override
  public void flush() {
    loopContext.handOver();
  }

  @Override
  public void resume() {
    loopContext.later(connection, () -> connection.resume(ReadPauses.MAILBOX));
  }

  @Override
  public void unreadable(String reason) {
    loopContext.later(connection, () -> owner.unreadable(reason));
  }

  @Override
  public void lost(Throwable cause) {
    loopContext.execute(connection, () -> connection.fail(cause));
  }

  @Override
  public void execute(Runnable task) {
    loopContext.execute(connection, task);
  }
}

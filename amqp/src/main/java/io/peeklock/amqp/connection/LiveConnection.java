package io.peeklock.amqp.connection;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.concurrent.CompletableFuture;

/** A connection as the edge sees it, which knows all live ones. */
public interface LiveConnection {

  /**
   * What it is at the moment.
   *
   * @param order the how manyth it is
   * @return fails when its event loop has ended
   */
  @AnyThread
  CompletableFuture<ConnectionDescription> describe(long order);

  /** Closes it with an error. */
  @AnyThread
  void closeSoon(AmqpError error);

  /**
   * Entities were changed or deleted.
   *
   * @param told the context that the connection has at the edge that reports the change
   */
  @ShardThread
  void entitiesChanged(EventLoopContext told);
}

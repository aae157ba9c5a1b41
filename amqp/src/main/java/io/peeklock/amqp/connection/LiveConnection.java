package io.peeklock.amqp.connection;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;

/** A connection as the edge sees it, which knows all live ones. */
public interface LiveConnection {

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

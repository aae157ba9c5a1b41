package io.peeklock.amqp.connection;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;

/** A connection as those see it who know all that are alive. */
public interface LiveConnection {

  /** Closes it with an error. */
  @AnyThread
  void closeSoon(AmqpError error);

  /**
   * Entities were changed or deleted.
   *
   * @param told of the event loop that belongs to the shard's edge
   */
  @ShardThread
  void entitiesChanged(EventLoopContext told);
}

package io.peeklock.amqp.connection;

import io.peeklock.runtime.thread.EventLoopThread;
import org.jspecify.annotations.Nullable;

/**
 * Tells namespaces apart by the host name that a client calls: in its SASL layer when it logs in
 * there, and in its {@code open} (amqp.md 1.2, 1.3). One for each connection.
 */
@FunctionalInterface
@EventLoopThread
public interface EdgeNamespaceRouter {

  /** There is one namespace, whatever it is called. */
  EdgeNamespaceRouter NONE = (host, present) -> present;

  /**
   * The namespace of a name.
   *
   * @param host as the client sent it, with or without a port; null when it named none
   * @param present where the connection is now
   * @return where it belongs: the present one when the name says nothing; null when the connection
   *     came by the name of another namespace, so that it must not go there
   */
  @Nullable ConnectionEdge named(@Nullable String host, ConnectionEdge present);
}

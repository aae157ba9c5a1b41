package io.peeklock.amqp.connection;

import io.peeklock.runtime.thread.EventLoopThread;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the namespace by the host name that a client uses: in its SASL layer when it logs in
 * there, and in its {@code open} (amqp.md 1.2, 1.3). There is one router for each connection.
 */
@FunctionalInterface
@EventLoopThread
public interface EdgeNamespaceRouter {

  /** Accepts any host name, as there is one namespace. */
  EdgeNamespaceRouter NONE = (host, present) -> present;

  /**
   * The namespace of a name.
   *
   * @param host as the client sent it, with or without a port; null when it named none
   * @param present the namespace of the connection now
   * @return the namespace that the name means, or {@code present} when the name means none; null
   *     when the connection must not go there, because it came by the name of another namespace
   */
  @Nullable ConnectionEdge named(@Nullable String host, ConnectionEdge present);
}

package io.peeklock.http;

import io.peeklock.runtime.thread.EventLoopThread;
import org.jspecify.annotations.Nullable;

/** Tells apart who answers by the host that a request names. One for each connection. */
@FunctionalInterface
@EventLoopThread
public interface Sites {

  /**
   * The routes for a host.
   *
   * @param authority {@code name} or {@code name:port}; may be empty
   * @return null when this connection came by the name of another host, which a request for this
   *     one must not use: it is answered with 421
   */
  @Nullable Router at(String authority);
}

package io.peeklock.amqp.connection;

import io.netty.util.concurrent.EventExecutor;
import io.peeklock.amqp.engine.framing.FrameTrace;
import io.peeklock.amqp.link.EdgeServices;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.runtime.thread.EventLoopThread;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The edge of a namespace, as its connections see it. */
public interface ConnectionEdge extends EdgeServices {

  /** Registers a connection, and returns the context of its event loop. */
  @EventLoopThread
  EventLoopContext joined(LiveConnection connection, EventExecutor loop);

  /** Removes a connection. */
  void left(LiveConnection connection);

  /** Counts an opened connection; false when the limit is reached (S-438). */
  boolean enter();

  /** Uncounts a connection that {@link #enter} counted. */
  void leave();

  /** The trace that logs the frames of a peer; null when they are not traced. */
  @Nullable FrameTrace traceOf(SocketAddress peer);
}

package io.peeklock.amqp.connection;

import io.netty.util.concurrent.EventExecutor;
import io.peeklock.amqp.engine.framing.FrameTrace;
import io.peeklock.amqp.link.EdgeServices;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.runtime.thread.EventLoopThread;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The edge of a namespace, as a connection to it sees it. */
public interface ConnectionEdge extends EdgeServices {

  /** A connection is here from now on, and gets the context of its event loop. */
  @EventLoopThread
  EventLoopContext joined(LiveConnection connection, EventExecutor loop);

  /** It is here no longer. */
  void left(LiveConnection connection);

  /** Counts a connection that its client opened; false when there are as many as there may be. */
  boolean enter();

  /** One that was counted is gone. */
  void leave();

  /** Who writes the frames of a peer to the log; null when nobody does. */
  @Nullable FrameTrace traceOf(SocketAddress peer);
}

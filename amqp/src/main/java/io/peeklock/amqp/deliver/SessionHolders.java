package io.peeklock.amqp.deliver;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.SessionIds;
import io.peeklock.kernel.request.Origin;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which receivers of a connection hold which message sessions. */
@EventLoopThread
public final class SessionHolders {
  private final Map<String, Origin> holders = new HashMap<>();

  /** Notes that a receiver got a session of a queue. */
  void holds(Origin receiver, QueueId queue, String sessionId) {
    holders.put(key(queue, sessionId), receiver);
  }

  /** Notes that a receiver lost a session. */
  void lost(Origin receiver, QueueId queue, String sessionId) {
    holders.remove(key(queue, sessionId), receiver);
  }

  /** The receiver of this connection that holds a session of a queue; null for none. */
  public @Nullable Origin holderOf(QueueId queue, String sessionId) {
    return holders.get(key(queue, sessionId));
  }

  private static String key(QueueId queue, String sessionId) {
    return queue.number() + "/" + SessionIds.folded(sessionId);
  }
}

package io.peeklock.amqp.deliver;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Origin;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which receivers of a connection hold which message sessions. Belongs to the connection. */
@EventLoopThread
public final class SessionHolders {
  private final Map<String, Origin> holders = new HashMap<>();

  /** A receiver got a session of a queue. */
  void holds(Origin receiver, QueueId queue, String sessionId) {
    holders.put(key(queue, sessionId), receiver);
  }

  /** It has it no longer. */
  void lost(Origin receiver, QueueId queue, String sessionId) {
    holders.remove(key(queue, sessionId), receiver);
  }

  /** Who holds a session of a queue. */
  public @Nullable Origin holderOf(QueueId queue, String sessionId) {
    return holders.get(key(queue, sessionId));
  }

  private static String key(QueueId queue, String sessionId) {
    return queue.number() + "/" + sessionId;
  }
}

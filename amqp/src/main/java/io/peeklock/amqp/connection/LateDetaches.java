package io.peeklock.amqp.connection;

import io.peeklock.amqp.link.NodeLink;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Links of a connection that are detached after some time, unless they end before. */
@EventLoopThread
final class LateDetaches {
  private record Detach(long atMillis, String condition, String sentence) {}

  private final Map<NodeLink, Detach> waiting = new LinkedHashMap<>();

  void add(NodeLink link, long atMillis, String condition, String sentence) {
    waiting.put(link, new Detach(atMillis, condition, sentence));
  }

  void ended(NodeLink link) {
    if (!waiting.isEmpty()) {
      waiting.remove(link);
    }
  }

  /**
   * Detaches those that are due, and returns when the next is; {@link Long#MAX_VALUE} for never.
   */
  long check(long nowMillis) {
    if (waiting.isEmpty()) {
      return Long.MAX_VALUE;
    }
    var next = Long.MAX_VALUE;
    for (var one : List.copyOf(waiting.entrySet())) { // a detach takes its link out
      var detach = one.getValue();
      if (detach.atMillis > nowMillis) {
        next = Math.min(next, detach.atMillis);
      } else {
        one.getKey().detach(detach.condition, detach.sentence);
      }
    }
    return next;
  }
}

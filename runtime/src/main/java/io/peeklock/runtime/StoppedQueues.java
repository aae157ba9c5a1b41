package io.peeklock.runtime;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.meter.ShardMeters;
import io.peeklock.runtime.thread.ShardThread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The queues that are stopped because a body cannot be read: their receivers are told why, and
 * nothing is delivered from them until a restart. Sends, settlements and peeks still work.
 * Otherwise a damaged message would be locked and lapse until it was dead-lettered, and
 * receive-and-delete would remove messages that it cannot deliver.
 */
@ShardThread
final class StoppedQueues {
  private final ShardMeters meters;
  private final Map<Origin, QueueId> receivers = new LinkedHashMap<>();
  private final Map<QueueId, String> reasons = new LinkedHashMap<>();

  StoppedQueues(ShardMeters meters) {
    this.meters = meters;
  }

  /** Notes a new receiver; false when its queue is stopped, which the receiver was told. */
  boolean admits(Request request) {
    return switch (request) {
      case Request.OpenReceiver open -> admits(open.origin(), open.queue());
      case Request.AcceptSession accept -> admits(accept.origin(), accept.queue());
      case Request.CloseReceiver close -> {
        receivers.remove(close.origin());
        yield true;
      }
      default -> true;
    };
  }

  private boolean admits(Origin receiver, QueueId queue) {
    var reason = reasons.get(queue);
    if (reason != null) {
      tell(receiver, queue, reason);
      return false;
    }
    receivers.put(receiver, queue);
    return true;
  }

  /**
   * Stops the queue of a receiver, and tells all receivers of the queue.
   *
   * @return requests that end their demand
   */
  List<Request> stop(Origin receiver, String reason) {
    var requests = new ArrayList<Request>();
    var queue = receivers.get(receiver);
    if (queue != null) {
      reasons.putIfAbsent(queue, reason);
      receivers.forEach(
          (origin, from) -> {
            if (from.equals(queue)) {
              requests.add(new Request.CloseReceiver(origin));
              tell(origin, queue, reason);
            }
          });
      receivers.values().removeIf(queue::equals);
    }
    return requests;
  }

  private void tell(Origin receiver, QueueId queue, String reason) {
    meters.noteUnreadable(queue);
    ((Endpoint) receiver).unreadable(reason);
  }

  /**
   * The requests that give back messages that cannot reach who they were locked for; empty when
   * nothing can be given back.
   */
  static List<Request> undelivered(Effect effect) {
    var messages =
        switch (effect) {
          case Effect.Delivered delivered -> delivered.messages();
          case Effect.DeferredReceived received -> received.messages();
          default -> null;
        };
    if (messages == null) {
      return List.of();
    }
    var locks = messages.lockIds();
    if (locks == null) {
      return List.of();
    }
    var bytes = 0L;
    for (var size : messages.sizes()) {
      bytes += size;
    }
    return List.of(new Request.Undelivered(effect.to(), locks, locks.length, bytes));
  }
}

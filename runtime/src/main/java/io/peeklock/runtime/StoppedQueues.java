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
 * Queues with a body that cannot be read: whoever receives from one is told why, and nobody gets
 * anything from it until a restart (design.md 4 rule 10). Sends, settlements and peeks go on.
 * Without this a damaged message would be locked, lapse and be counted until it was dead-lettered,
 * and receive-and-delete would go on removing what it cannot hand out.
 */
@ShardThread
final class StoppedQueues {
  private final ShardMeters meters;
  private final Map<Origin, QueueId> receivers = new LinkedHashMap<>();
  private final Map<QueueId, String> reasons = new LinkedHashMap<>();

  StoppedQueues(ShardMeters meters) {
    this.meters = meters;
  }

  /** Notes who receives from where; false when it was told that its queue is stopped. */
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
   * Stops the queue that somebody receives from, and tells all its receivers.
   *
   * @return requests that end what they have asked for
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

  /** What gives a delivery back that cannot be told; empty when there is nothing to give back. */
  static List<Request> undelivered(Effect.Delivered delivered) {
    var messages = delivered.messages();
    var locks = messages.lockIds();
    if (locks == null) {
      return List.of();
    }
    var bytes = 0L;
    for (var size : messages.sizes()) {
      bytes += size;
    }
    return List.of(new Request.Undelivered(delivered.to(), locks, locks.length, bytes));
  }
}

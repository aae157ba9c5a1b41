package io.peeklock.kernel.transaction;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TopicState;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bytes that leave queues in a decision, which messages stored by it may use. */
final class ReleasedQuota {

  private final Map<QueueState, Long> bytesByQueue = new LinkedHashMap<>();

  /** Adds messages that leave; dead letters count for their queue too (S-187). */
  void leave(MachineState state, QueueState queue, long[] numbers) {
    long bytes = 0;
    for (long number : numbers) {
      long place = queue.messages().find(number);
      Chunk chunk = queue.messages().chunk(place);
      int row = Place.row(place);
      bytes += chunk.size(row) + state.overlays.bytes(chunk.overlaySlot(row));
    }
    add(queue.isDeadLetterQueue() ? queue.deadLetters() : queue, bytes);
  }

  /** Adds cancelled scheduled messages, counting a number that is named twice once. */
  void cancelled(QueueState queue, long[] numbers) {
    long bytes = 0;
    for (long number : Arrays.stream(numbers).distinct().toArray()) {
      long place = queue.scheduled().find(number);
      bytes += queue.scheduled().chunk(place).size(Place.row(place));
    }
    add(queue, bytes);
  }

  private void add(QueueState queue, long bytes) {
    bytesByQueue.merge(queue, bytes, Long::sum);
  }

  /** The bytes that leave a queue; for a topic those of its subscriptions (S-056). */
  long in(QueueState queue) {
    long bytes = of(queue);
    TopicState topic = queue.topic();
    if (topic != null && !bytesByQueue.isEmpty()) {
      for (SubscriptionState each : topic.subscriptions()) {
        bytes += of(each.queue());
      }
    }
    return bytes;
  }

  private long of(QueueState queue) {
    @Nullable Long bytes = bytesByQueue.get(queue);
    return bytes == null ? 0 : bytes;
  }
}

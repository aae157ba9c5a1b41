package io.peeklock.amqp;

import io.peeklock.kernel.Origin;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.Request;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scheduled messages that one transaction cancels at its commit (S-376). */
final class TransactedCancellations {
  private final Map<QueueId, long[]> byQueue = new LinkedHashMap<>();

  void add(Request.CancelScheduled cancel) {
    byQueue.merge(cancel.queue(), cancel.sequenceNumbers(), TransactedCancellations::joined);
  }

  private static long[] joined(long[] some, long[] more) {
    var all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }

  /** As parts of a commit, one for each queue. */
  List<Request.CancelScheduled> requests(Origin origin) {
    return byQueue.entrySet().stream()
        .map(
            entry ->
                new Request.CancelScheduled(
                    origin, Transactions.NOBODY, entry.getKey(), entry.getValue()))
        .toList();
  }

  void clear() {
    byQueue.clear();
  }
}

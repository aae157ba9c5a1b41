package io.peeklock.amqp.transaction;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scheduled messages that one transaction cancels at its commit (S-376), each once. */
final class TransactedCancellations {
  private static final long[] NONE = {};

  private final Map<QueueId, long[]> byQueue = new LinkedHashMap<>(); // sorted

  /**
   * Adds the numbers that are not there yet.
   *
   * @return how many those were
   */
  int add(Request.CancelScheduled cancel) {
    var some = byQueue.getOrDefault(cancel.queue(), NONE);
    var all = joined(some, cancel.sequenceNumbers());
    byQueue.put(cancel.queue(), all);
    return all.length - some.length;
  }

  /** Both, sorted, each number once; the first one when the second brings nothing new. */
  private static long[] joined(long[] sorted, long[] more) {
    var added = more.clone();
    Arrays.sort(added);
    var fresh = 0;
    for (var i = 0; i < added.length; i++) {
      var isRepeated = i > 0 && added[i] == added[i - 1];
      if (!isRepeated && Arrays.binarySearch(sorted, added[i]) < 0) {
        added[fresh++] = added[i]; // never ahead of what is read: only before or at its place
      }
    }
    if (fresh == 0) {
      return sorted;
    }
    var all = Arrays.copyOf(sorted, sorted.length + fresh);
    System.arraycopy(added, 0, all, sorted.length, fresh);
    Arrays.sort(all);
    return all;
  }

  /** As parts of a commit, one for each queue. */
  List<Request.CancelScheduled> requests(Origin origin) {
    return byQueue.entrySet().stream()
        .map(
            entry ->
                new Request.CancelScheduled(
                    origin, UnansweredTicket.PART_OF_COMMIT, entry.getKey(), entry.getValue()))
        .toList();
  }

  void clear() {
    byQueue.clear();
  }
}

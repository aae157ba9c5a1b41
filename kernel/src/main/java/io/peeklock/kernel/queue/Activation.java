package io.peeklock.kernel.queue;

import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Scheduled messages whose time has come become active, at the end of their queue, never too early
 * (S-151, S-152): those that are due first come first, as far as one slice sees them.
 */
final class Activation {

  private Activation() {}

  private record Due(long atMillis, long number) {}

  /** Adds at most so many to a draft; how much work that was. */
  static int decide(QueueState queue, Stamp stamp, int most, Draft draft) {
    ScheduledMessages scheduled = queue.scheduled();
    if (most <= 0 || scheduled.dueBound() > stamp.nowMillis()) {
      return 0;
    }
    List<Due> due = new ArrayList<>();
    LongList looked = new LongList();
    ChunkDirectory chunks = scheduled.chunks();
    for (int i = 0; i < chunks.size() && due.size() < most; i++) {
      if (chunks.expiryBound(i) <= stamp.nowMillis()) {
        collect(chunks.chunk(i), stamp.nowMillis(), most, due);
        looked.add(chunks.firstNumber(i));
        if (looked.size() == TickHandler.MAX_CHUNKS) {
          break;
        }
      }
    }
    if (!due.isEmpty()) {
      due.sort(Comparator.comparingLong(Due::atMillis).thenComparingLong(Due::number));
      long[] numbers = due.stream().mapToLong(Due::number).toArray();
      draft.add(
          new Fact.Activated(queue.id(), numbers, queue.nextSequenceNumber(), stamp.nowMillis()));
    }
    draft.add(new Grant.ScheduleSwept(queue.id(), looked.toArray()));
    return due.size() + looked.size();
  }

  private static void collect(Chunk chunk, long now, int most, List<Due> due) {
    for (int row = 0; row < chunk.rows() && due.size() < most; row++) {
      if (chunk.isPresent(row) && ScheduledMessages.dueAtMillis(chunk, row) <= now) {
        due.add(new Due(ScheduledMessages.dueAtMillis(chunk, row), chunk.number(row)));
      }
    }
  }
}

package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data of a group of queues that is going to be used into the processor's caches. Queue
 * by queue, each waits some twenty times for memory; read ahead with nothing else between, the
 * reads of many queues overlap. The copies of one message for 2,000 subscriptions take less than
 * half the time. Changes nothing.
 */
public final class Prefetch {

  /** The queues of a group, whose data fits in the caches until it is used. */
  public static final int GROUP = 256;

  /** Has no meaning: without it the compiler would drop the reads. */
  long seen;

  /** Prefetches the data of a group of queues. */
  public void at(QueueState[] queues) {
    seen = sum(queues, lastChunks(queues));
  }

  /** Each loop reads what the loop before found, so that no queue waits for another's reads. */
  private static @Nullable Chunk[] lastChunks(QueueState[] queues) {
    ChunkDirectory[] directories = new ChunkDirectory[queues.length];
    for (int i = 0; i < queues.length; i++) {
      directories[i] = queues[i].messages().chunks();
    }
    @Nullable Chunk[] last = new Chunk[queues.length];
    for (int i = 0; i < queues.length; i++) {
      ChunkDirectory chunks = directories[i];
      last[i] = chunks.size() == 0 ? null : chunks.chunk(chunks.size() - 1);
    }
    return last;
  }

  private static long sum(QueueState[] queues, @Nullable Chunk[] last) {
    long sum = 0;
    for (QueueState queue : queues) {
      sum += queue.messages().available() + queue.locks().head;
      sum += queue.demand().isServable() ? 1 : 0;
    }
    for (Chunk each : last) {
      sum += each == null ? 0 : row(each, 0); // the arrays, and how long they are
    }
    for (Chunk each : last) {
      sum += each == null ? 0 : row(each, each.rows());
    }
    return sum;
  }

  private static long row(Chunk chunk, int next) {
    int row = Math.min(next, chunk.capacity() - 1);
    long sum = chunk.number(row) + chunk.bodyId(row) + chunk.size(row);
    sum += chunk.enqueuedAtMillis(row) + chunk.sharedSlot(row) + chunk.forwardings(row);
    return sum + chunk.lockSlot(row) + chunk.headerBytes(row);
  }
}

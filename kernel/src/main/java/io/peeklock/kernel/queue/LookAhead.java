package io.peeklock.kernel.queue;

import io.peeklock.kernel.Copies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches what is going to be touched of many queues into the processor's caches, for a group of
 * them at a time. One queue after the other, each waits for the memory some twenty times; read
 * ahead, and nothing else done between, the reads of many queues go on side by side: the copies of
 * one message for 2,000 subscriptions take a third of the time. Changes nothing.
 */
final class LookAhead {

  /** Of so many what is fetched has room in the caches until it is used. */
  static final int GROUP = 256;

  private final QueueState[] queues = new QueueState[GROUP];
  private final ChunkDirectory[] directories = new ChunkDirectory[GROUP];
  private final @Nullable Chunk[] tails = new Chunk[GROUP];
  private int count;

  /** Says nothing: reads whose sum nobody keeps were left out by the compiler. */
  long seen;

  /** Of the queues that get these copies, those of the group that begins here. */
  void atCopies(Copies[] all, int from, MachineState state) {
    count = Math.min(GROUP, all.length - from);
    for (int i = 0; i < count; i++) {
      queues[i] = state.known(all[from + i].subscription());
    }
    fetch();
  }

  /** Of these queues the group that begins here. */
  void at(List<QueueState> all, int from) {
    count = Math.min(GROUP, all.size() - from);
    for (int i = 0; i < count; i++) {
      queues[i] = all.get(from + i);
    }
    fetch();
  }

  /**
   * Each loop reads what the one before has found, so that no read waits for another of its own.
   */
  private void fetch() {
    for (int i = 0; i < count; i++) {
      directories[i] = queues[i].messages().chunks();
    }
    for (int i = 0; i < count; i++) {
      ChunkDirectory chunks = directories[i];
      tails[i] = chunks.size() == 0 ? null : chunks.chunk(chunks.size() - 1);
    }
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += queues[i].messages().available() + queues[i].locks().head;
      sum += queues[i].demand().isServable() ? 1 : 0;
    }
    for (int i = 0; i < count; i++) {
      Chunk tail = tails[i];
      sum += tail == null ? 0 : row(tail, 0); // the arrays, and how long they are
    }
    for (int i = 0; i < count; i++) {
      Chunk tail = tails[i];
      sum += tail == null ? 0 : row(tail, tail.rows());
    }
    seen = sum;
  }

  private static long row(Chunk chunk, int next) {
    int row = Math.min(next, chunk.capacity() - 1);
    long sum = chunk.number(row) + chunk.bodyId(row) + chunk.size(row);
    sum += chunk.enqueuedAtMillis(row) + chunk.sharedSlot(row) + chunk.travels(row);
    return sum + chunk.lockSlot(row) + chunk.headerBytes(row);
  }
}

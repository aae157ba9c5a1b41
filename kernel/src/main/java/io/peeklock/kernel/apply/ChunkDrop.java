package io.peeklock.kernel.apply;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;

/**
 * Empties a deleted queue a chunk at a time, which costs a tenth of taking its messages away one by
 * one. Sessions know of single messages, so queues that have some are emptied the other way.
 */
final class ChunkDrop {

  private ChunkDrop() {}

  /** Drops the chunks that hold these numbers and no others; how many numbers that were. */
  static int dropChunks(MachineState state, QueueState queue, long[] numbers) {
    int gone = 0;
    while (queue.sessions() == null && isFirstChunk(queue.messages().chunks(), numbers, gone)) {
      gone += dropFirst(state, queue);
    }
    return gone;
  }

  /** Whether these numbers, from one on, are those of the first chunk and perhaps more. */
  private static boolean isFirstChunk(ChunkDirectory chunks, long[] numbers, int from) {
    if (chunks.size() == 0 || chunks.chunk(0).live() == 0) {
      return false;
    }
    int last = from + chunks.chunk(0).live() - 1;
    return last < numbers.length
        && numbers[from] >= chunks.firstNumber(0)
        && numbers[last] == lastNumber(chunks.chunk(0));
  }

  private static long lastNumber(Chunk chunk) {
    int row = chunk.rows() - 1;
    while (!chunk.isPresent(row)) {
      row--;
    }
    return chunk.number(row);
  }

  private static int dropFirst(MachineState state, QueueState queue) {
    MessageIndex messages = queue.messages();
    state.beforeChange(messages.chunks(), 0);
    Chunk chunk = messages.chunks().chunk(0);
    int live = chunk.live();
    long bytes = 0;
    long deferred = 0;
    for (int row = 0; row < chunk.rows(); row++) {
      if (chunk.isPresent(row)) {
        state.dropBody(chunk, row);
        bytes += chunk.size(row) + dropOverlay(state, queue, chunk.overlaySlot(row));
        deferred += chunk.isDeferred(row) ? 1 : 0;
      }
    }
    messages.addBytes(-bytes);
    messages.dropFirstChunk(deferred);
    return live;
  }

  private static int dropOverlay(MachineState state, QueueState queue, int slot) {
    int bytes = state.overlays.bytes(slot);
    if (slot != 0) {
      state.deadBodies.add(state.overlays.bodyId(slot));
      state.overlays.remove(slot);
      queue.held.overlayLeft(bytes);
    }
    return bytes;
  }
}

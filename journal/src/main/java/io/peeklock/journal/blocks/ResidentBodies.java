package io.peeklock.journal.blocks;

import io.peeklock.runtime.thread.ShardThread;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bodies that are in memory: what was appended lately, and what was read back lately. The
 * oldest go first when there are too many; a run whose bodies are all dead goes at once.
 */
@ShardThread
public final class ResidentBodies {
  /** What a run takes of the heap in bytes: 240 were measured, the rest is for other layouts. */
  static final long RUN_BYTES = 256;

  /** What each body of a run takes there, where it lies and how long it is. */
  private static final int BODY_BYTES = 8;

  /** What each block of a run takes there, which it is and what its first body is. */
  private static final int BLOCK_BYTES = 12;

  /** Runs take no more of the heap than a quarter of what bodies may take. */
  private static final int HEAP_PART = 4;

  private final TreeMap<Long, BodyRun> byFirstId = new TreeMap<>();
  private @Nullable BodyRun oldest;
  private @Nullable BodyRun newest;
  private @Nullable BodyRun lastFound;
  private @Nullable BodyRun upcoming;
  private long bytes;
  private long liveBytes;
  private long diedBytes;
  private long heapBytes;

  /** Takes a run over, with its references to blocks. */
  public void add(BodyRun run) {
    if (run.count() == 0) {
      run.releaseBlocks();
      return;
    }
    byFirstId.put(run.firstBodyId(), run);
    heapBytes += heapBytesOf(run);
    run.resident = true;
    run.older = newest;
    if (newest == null) {
      oldest = run;
    } else {
      newest.newer = run;
    }
    newest = run;
    liveBytes += run.countLiveBytes(1);
    for (var block : run.blocks()) {
      if (block.residentRuns++ == 0) {
        bytes += block.capacity();
      }
    }
  }

  /** The run that has a body, or null. */
  public @Nullable BodyRun find(long bodyId) {
    var last = lastFound;
    if (last != null && last.placeOf(bodyId) >= 0) {
      return last;
    }
    var entry = byFirstId.floorEntry(bodyId);
    if (entry == null || entry.getValue().placeOf(bodyId) < 0) {
      return null;
    }
    lastFound = entry.getValue();
    return lastFound;
  }

  /** The first id of a run that begins above this id; {@link Long#MAX_VALUE} for none. */
  public long nextRunAfter(long bodyId) {
    Map.@Nullable Entry<Long, BodyRun> above = byFirstId.higherEntry(bodyId);
    return above == null ? Long.MAX_VALUE : above.getKey();
  }

  /** A body is needed no more. */
  public void died(long bodyId) {
    var run = find(bodyId);
    if (run != null) {
      var freed = run.died(run.placeOf(bodyId));
      liveBytes -= freed;
      diedBytes += freed;
      if (run.live() == 0) {
        remove(run);
      }
    }
  }

  /**
   * Drops the oldest runs until the bound holds, and so does one for what they take of the heap:
   * where small bodies come one by one that is more than they themselves.
   *
   * @param durableIndex younger batches must stay; they are in no file yet
   */
  public void evict(long boundBytes, long durableIndex) {
    for (var run = oldest;
        run != null
            && (bytes > boundBytes || heapBytes > boundBytes / HEAP_PART)
            && run.index() <= durableIndex;
        run = oldest) {
      remove(run);
    }
  }

  /** The oldest run, or null. */
  public @Nullable BodyRun oldest() {
    return oldest;
  }

  /** How many runs there are. */
  public int runs() {
    return byFirstId.size();
  }

  /** From here on {@link #next} begins at the oldest run. */
  public void rewind() {
    upcoming = oldest;
  }

  /**
   * The next run from old to young, each once, whoever comes and goes; null behind the youngest.
   */
  public @Nullable BodyRun next() {
    var run = upcoming;
    upcoming = run == null ? null : run.newer;
    return run;
  }

  public void remove(BodyRun run) {
    run.resident = false;
    if (upcoming == run) {
      upcoming = run.newer;
    }
    heapBytes -= heapBytesOf(run);
    byFirstId.remove(run.firstBodyId(), run);
    if (run.older == null) {
      oldest = run.newer;
    } else {
      run.older.newer = run.newer;
    }
    if (run.newer == null) {
      newest = run.older;
    } else {
      run.newer.older = run.older;
    }
    run.older = null;
    run.newer = null;
    if (lastFound == run) {
      lastFound = null;
    }
    liveBytes += run.countLiveBytes(-1);
    for (var block : run.blocks()) {
      if (--block.residentRuns == 0) {
        bytes -= block.capacity();
      }
    }
    run.releaseBlocks();
  }

  private static long heapBytesOf(BodyRun run) {
    return RUN_BYTES + (run.count() - 1L) * BODY_BYTES + (run.blocks().length - 1L) * BLOCK_BYTES;
  }

  /** What the runs take of the heap, beside their bodies. */
  public long heapBytes() {
    return heapBytes;
  }

  /** Bytes of what lives in these blocks; the room for checksums included. */
  public long liveBytes() {
    return liveBytes;
  }

  /** Bytes of all that died one by one ever. */
  public long diedBytes() {
    return diedBytes;
  }

  /** Bytes of the blocks that resident runs lie in. */
  public long bytes() {
    return bytes;
  }
}

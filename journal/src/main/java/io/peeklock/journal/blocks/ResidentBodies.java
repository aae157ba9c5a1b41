package io.peeklock.journal.blocks;

import io.peeklock.runtime.thread.ShardThread;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bodies in memory: recently appended or read back. The oldest are evicted first; a run whose
 * bodies are all dead is removed at once.
 */
@ShardThread
public final class ResidentBodies {
  /** The heap of a run in bytes: 240 measured, the rest for other memory layouts. */
  static final long RUN_BYTES = 256;

  /** The heap of a body in a run: its offset and its length. */
  private static final int BODY_BYTES = 8;

  /** The heap of a block in a run: the reference and its first body. */
  private static final int BLOCK_BYTES = 12;

  /** The heap of runs is limited to a quarter of the memory of bodies. */
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

  /** Adds a run, and takes over its references to blocks. */
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

  /** Marks a body as dead. */
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
   * Evicts the oldest runs until the limit holds, and one for their heap: with small bodies in
   * single runs that is more than the bodies themselves.
   *
   * @param durableIndex later batches must stay, as they are not in a file yet
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

  /** Makes {@link #next} begin at the oldest run. */
  public void rewind() {
    upcoming = oldest;
  }

  /**
   * The next run from old to young, each once even if others are added or removed; null after the
   * youngest.
   */
  public @Nullable BodyRun next() {
    var run = upcoming;
    upcoming = run == null ? null : run.newer;
    return run;
  }

  /** Removes a run, and releases its blocks. */
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

  /** The heap of the runs, without their bodies. */
  public long heapBytes() {
    return heapBytes;
  }

  /** The bytes of living bodies, with the room for checksums. */
  public long liveBytes() {
    return liveBytes;
  }

  /** The bytes of all bodies that died one by one, in total. */
  public long diedBytes() {
    return diedBytes;
  }

  /** The bytes of the blocks of resident runs. */
  public long bytes() {
    return bytes;
  }
}

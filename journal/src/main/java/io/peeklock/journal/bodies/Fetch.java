package io.peeklock.journal.bodies;

import io.peeklock.journal.blocks.Block;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.blocks.ResidentBodies;
import io.peeklock.journal.blocks.StoredLarge;
import io.peeklock.journal.segment.BodyFile;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyStorage;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of one fetch, while they are gathered and after. Found bodies are pinned at once by
 * their blocks, so they stay even if they are evicted or die while the rest is read. Used by the
 * shard's thread until it is complete, then by its reader.
 */
public final class Fetch implements Bodies {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Called when the fetch had to wait. */
  final BodyStorage.LoadListener listener;

  /** The files pinned while it waits, once for each body. */
  final List<BodyFile> pinned = new ArrayList<>(0);

  /** The locations of the bodies that were not in memory at first; null before it waits. */
  long @Nullable [] locations;

  private final long[] ids;
  private final ByteBuffer[] buffers; // null until it is pinned
  private final int[] offsets;
  private final int[] lengths;
  private @Nullable LargeBody @Nullable [] larges;
  private final List<Block> pins = new ArrayList<>(2);
  private int found;

  public Fetch(long[] ids, BodyStorage.LoadListener listener) {
    this.ids = ids;
    this.listener = listener;
    this.buffers = new ByteBuffer[ids.length];
    this.offsets = new int[ids.length];
    this.lengths = new int[ids.length];
  }

  /** Pins bodies up to the first that is not in memory. */
  public void gather(ResidentBodies resident) {
    while (found < ids.length && (buffers[found] != null || pin(found, resident))) {
      found++;
    }
  }

  /** Pins one of the bodies if it is in memory, and returns whether it is. */
  boolean pin(int place, ResidentBodies resident) {
    var run = resident.find(ids[place]);
    if (run == null) {
      return false;
    }
    var there = run.placeOf(ids[place]);
    if (run.length(there) == BodyRun.LARGE) {
      pin(place, run.large(there));
    } else {
      take(place, run.block(there), run.start(there) + BodyRun.CHECK_BYTES, run.length(there));
    }
    return true;
  }

  private void take(int place, Block block, int offset, int length) {
    if (pins.isEmpty() || pins.get(pins.size() - 1) != block) {
      block.retain();
      pins.add(block);
    }
    buffers[place] = block.bytes;
    offsets[place] = offset;
    lengths[place] = length;
  }

  /** Pins a large body. */
  void pin(int place, StoredLarge large) {
    var pinned = larges;
    if (pinned == null) {
      pinned = new LargeBody[ids.length];
      larges = pinned;
    }
    pinned[place] = large.pin();
    buffers[place] = NOTHING;
    lengths[place] = (int) Math.min(Integer.MAX_VALUE, large.length());
  }

  /** Whether all bodies are pinned. */
  public boolean complete() {
    return found == ids.length;
  }

  /** The location of the first missing body; {@link BodyLocations#NONE} when it is unknown. */
  long missingLocation() {
    return locations == null ? BodyLocations.NONE : locations[found];
  }

  /** The index of the first missing body. */
  public int found() {
    return found;
  }

  public long idAt(int place) {
    return ids[place];
  }

  /** Gives everything back, as it will not be completed. */
  @Override
  public void drop() {
    release();
    if (larges != null) {
      for (var large : larges) {
        if (large != null) {
          large.release();
        }
      }
    }
  }

  @Override
  public int count() {
    return ids.length;
  }

  @Override
  public ByteBuffer buffer(int i) {
    return buffers[i];
  }

  @Override
  public int offset(int i) {
    return offsets[i];
  }

  @Override
  public int length(int i) {
    return lengths[i];
  }

  @Override
  public @Nullable LargeBody large(int i) {
    return larges == null ? null : larges[i];
  }

  @Override
  public void release() {
    for (var block : pins) {
      block.release();
    }
    pins.clear();
  }
}

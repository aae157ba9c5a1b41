package io.peeklock.journal.segment;

import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.thread.ShardThread;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cold segments, and the slots by which locations name them. A segment is removed, and its slot
 * freed, only when no checkpoint that is kept or being written can name it; so a missing segment
 * that a checkpoint names is damage.
 */
@ShardThread
public final class ColdSegments {
  /** The numbers of each segment in a checkpoint's table. */
  public static final int COLUMNS = 4;

  private final CheckpointRetention retention;
  private final List<ColdSegment> segments = new ArrayList<>();
  private final List<@Nullable ColdSegment> slots = new ArrayList<>();
  private final BitSet taken = new BitSet();
  private long lastNumber;

  public ColdSegments(CheckpointRetention retention) {
    this.retention = retention;
  }

  public List<ColdSegment> all() {
    return Collections.unmodifiableList(segments);
  }

  /** Reserves an unused number and slot; null when all slots are taken. */
  public @Nullable ColdSegment reserve(long salt) {
    var slot = taken.nextClearBit(0);
    if (slot >= BodyLocations.SLOTS) {
      return null;
    }
    taken.set(slot);
    return new ColdSegment(++lastNumber, salt, slot);
  }

  /** Frees a reserved segment that was not written. */
  public void unreserve(ColdSegment segment) {
    taken.clear(segment.slot);
  }

  /** Adds a segment that is complete on the disk. */
  public void add(ColdSegment segment) {
    segments.add(segment);
    lastNumber = Math.max(lastNumber, segment.number);
    if (segment.slot != ColdSegment.NO_SLOT) {
      taken.set(segment.slot);
      while (slots.size() <= segment.slot) {
        slots.add(null);
      }
      slots.set(segment.slot, segment);
    }
  }

  /** The segment with a slot; null when there is none. */
  public @Nullable ColdSegment at(int slot) {
    return slot < slots.size() ? slots.get(slot) : null;
  }

  /**
   * The slot, number, bytes and salt of each segment that a checkpoint with this ordinal can name.
   */
  public long[] table(long ordinal) {
    var named =
        segments.stream()
            .filter(segment -> segment.slot != ColdSegment.NO_SLOT)
            .filter(segment -> segment.live > 0 || segment.leftAt >= ordinal)
            .toList();
    var table = new long[COLUMNS * named.size()];
    for (var i = 0; i < named.size(); i++) {
      var segment = named.get(i);
      table[COLUMNS * i] = segment.slot;
      table[COLUMNS * i + 1] = segment.number;
      table[COLUMNS * i + 2] = segment.bytes;
      table[COLUMNS * i + 3] = segment.salt;
    }
    return table;
  }

  /** Removes and returns a segment that nothing needs; null when all must stay. */
  public @Nullable ColdSegment takeRemovable() {
    for (var segment : segments) {
      Invariant.check(segment.live >= 0, "a body dies once");
      if (segment.live == 0 && segment.pins == 0 && retention.hasForgotten(segment)) {
        segments.remove(segment);
        if (segment.slot != ColdSegment.NO_SLOT) {
          slots.set(segment.slot, null);
          taken.clear(segment.slot);
        }
        return segment;
      }
    }
    return null;
  }
}

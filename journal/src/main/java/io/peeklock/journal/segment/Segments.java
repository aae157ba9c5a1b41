package io.peeklock.journal.segment;

import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.thread.ShardThread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The segments of the log, oldest first; the last one is open. */
@ShardThread
public final class Segments {
  private final List<Segment> segments = new ArrayList<>();
  private final List<Segment> missing = new ArrayList<>();
  private final CheckpointRetention retention;

  public Segments(CheckpointRetention retention) {
    this.retention = retention;
  }

  public boolean isEmpty() {
    return segments.isEmpty();
  }

  /** The last segment, which is written to; there must be one. */
  public Segment open() {
    return segments.get(segments.size() - 1);
  }

  /** Adds a segment after all others. */
  public void add(Segment segment) {
    segments.add(segment);
  }

  /**
   * Adds a segment that a checkpoint names and that is missing. It stays in the list until the
   * whole log has shown which of its bodies live.
   */
  public void addMissing(Segment segment) {
    var place = segments.size();
    while (place > 0 && segments.get(place - 1).number > segment.number) {
      place--;
    }
    segments.add(place, segment);
    missing.add(segment);
  }

  /** Removes and returns the missing segments. */
  public List<Segment> takeMissing() {
    var taken = List.copyOf(missing);
    segments.removeAll(taken);
    missing.clear();
    return taken;
  }

  /** The segment of a body; null when it is gone. */
  public @Nullable Segment of(long bodyId) {
    var low = 0;
    var high = segments.size() - 1;
    if (high < 0 || bodyId < segments.get(0).firstBodyId) {
      return null;
    }
    while (low < high) {
      var middle = (low + high + 1) >>> 1;
      if (segments.get(middle).firstBodyId <= bodyId) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return segments.get(low);
  }

  /** The first body id above those of a segment. */
  public long endOf(Segment segment) {
    var next = segments.indexOf(segment) + 1;
    return next < segments.size() ? segments.get(next).firstBodyId : Long.MAX_VALUE;
  }

  /** The bytes of segments without living bodies, which only checkpoints still need. */
  public long deadBytes(long durableIndex) {
    var bytes = 0L;
    for (var i = 0; i < segments.size() - 1; i++) {
      var segment = segments.get(i);
      var isSettled = segments.get(i + 1).firstIndex <= durableIndex;
      bytes += isSettled && segment.live == 0 && segment.pins == 0 ? segment.bytes : 0;
    }
    return bytes;
  }

  /** The number, first index and first body id of each segment. */
  public long[] table() {
    var table = new long[3 * segments.size()];
    for (var i = 0; i < segments.size(); i++) {
      table[3 * i] = segments.get(i).number;
      table[3 * i + 1] = segments.get(i).firstIndex;
      table[3 * i + 2] = segments.get(i).firstBodyId;
    }
    return table;
  }

  /** The segment with this number; null when it is gone. */
  public @Nullable Segment numbered(long number) {
    for (var segment : segments) {
      if (segment.number == number) {
        return segment;
      }
    }
    return null;
  }

  public List<Segment> all() {
    return Collections.unmodifiableList(segments);
  }

  /** The segments that the older of two kept checkpoints covers. */
  public List<Segment> covered() {
    var count = 0;
    while (count + 1 < segments.size()
        && segments.get(count + 1).firstIndex - 1 <= retention.olderIndex) {
      count++;
    }
    return Collections.unmodifiableList(segments.subList(0, count));
  }

  /** Whether a full segment is not yet covered by two checkpoints. */
  public boolean hasUncovered() {
    var last = segments.size() - 1;
    return last > 0 && segments.get(last).firstIndex - 1 > retention.olderIndex;
  }

  /**
   * Removes and returns a segment that nothing needs: no body in it is alive, no read is in
   * progress, and two checkpoints cover it, its large bodies included. Null when all must stay.
   */
  public @Nullable Segment takeRemovable() {
    for (var segment : covered()) {
      Invariant.check(segment.live >= 0 && segment.larges >= 0, "a body dies once");
      if (segment.live == 0 && segment.pins == 0 && retention.hasForgotten(segment)) {
        segments.remove(segment);
        return segment;
      }
    }
    return null;
  }
}

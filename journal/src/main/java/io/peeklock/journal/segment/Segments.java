package io.peeklock.journal.segment;

import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.thread.ShardThread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of the log, oldest first; the last one is open. */
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

  public Segment open() {
    return segments.get(segments.size() - 1);
  }

  public void add(Segment segment) {
    segments.add(segment);
  }

  /**
   * One that a checkpoint names and that is not there. It counts as one of them, so that its bodies
   * do, until all of the log says which of these live.
   */
  public void addMissing(Segment segment) {
    var place = segments.size();
    while (place > 0 && segments.get(place - 1).number > segment.number) {
      place--;
    }
    segments.add(place, segment);
    missing.add(segment);
  }

  /** Takes those out again that are not there. */
  public List<Segment> takeMissing() {
    var taken = List.copyOf(missing);
    segments.removeAll(taken);
    missing.clear();
    return taken;
  }

  /** The one that a body lies in, or null when its segment is gone. */
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

  /** The first body id above those that can lie in a segment. */
  public long endOf(Segment segment) {
    var next = segments.indexOf(segment) + 1;
    return next < segments.size() ? segments.get(next).firstBodyId : Long.MAX_VALUE;
  }

  /** Bytes of segments that hold nothing alive and stay for the sake of the checkpoints alone. */
  public long deadBytes(long durableIndex) {
    var bytes = 0L;
    for (var i = 0; i < segments.size() - 1; i++) {
      var segment = segments.get(i);
      var isSettled = segments.get(i + 1).firstIndex <= durableIndex;
      bytes += isSettled && segment.live == 0 && segment.pins == 0 ? segment.bytes : 0;
    }
    return bytes;
  }

  /** Number, first index and first body id of each. */
  public long[] table() {
    var table = new long[3 * segments.size()];
    for (var i = 0; i < segments.size(); i++) {
      table[3 * i] = segments.get(i).number;
      table[3 * i + 1] = segments.get(i).firstIndex;
      table[3 * i + 2] = segments.get(i).firstBodyId;
    }
    return table;
  }

  /** The one with this number; null when it is gone. */
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

  /** Those of which the older of two kept checkpoints has all that they say. */
  public List<Segment> covered() {
    var count = 0;
    while (count + 1 < segments.size()
        && segments.get(count + 1).firstIndex - 1 <= retention.olderIndex) {
      count++;
    }
    return Collections.unmodifiableList(segments.subList(0, count));
  }

  /** Whether a segment that is full waits for two checkpoints to have all that it says. */
  public boolean hasUncovered() {
    var last = segments.size() - 1;
    return last > 0 && segments.get(last).firstIndex - 1 > retention.olderIndex;
  }

  /**
   * Takes a segment out that nothing needs: no body in it is alive, nobody reads it, and what it
   * says is in two checkpoints, also what its large bodies are. Null when all must stay.
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

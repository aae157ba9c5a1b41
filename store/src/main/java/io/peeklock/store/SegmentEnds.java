package io.peeklock.store;

import io.peeklock.journal.checkpoint.SegmentTable;
import io.peeklock.journal.inspection.StoreFolder;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Where each segment ends and the next one begins. A file that was cut between two batches is
 * intact in itself; that it lacks its end, only the next head says, or a checkpoint where that file
 * went.
 */
final class SegmentEnds {
  /** By number of the segment, those that are intact up to their end. */
  private final TreeMap<Long, End> ends = new TreeMap<>();

  private final Map<Long, Next> beginnings = new HashMap<>();

  private record End(String file, long offset, long lastIndex) {}

  private record Next(String file, long predecessor) {}

  /** A head that is intact. */
  void begins(String file, long number, long predecessor) {
    beginnings.put(number, new Next(file, predecessor));
  }

  /** A segment whose last batch is intact, and nothing is behind it. */
  void ends(String file, long number, long offset, long lastIndex) {
    ends.put(number, new End(file, offset, lastIndex));
  }

  /**
   * What a checkpoint says of segments.
   *
   * @param index of the batch after which it was made
   */
  void checkpoint(SegmentTable table, long index) {
    table
        .firstIndexes(index)
        .forEach(
            (number, first) ->
                beginnings.putIfAbsent(
                    number, new Next(StoreFolder.segmentName(first), first - 1)));
  }

  /** What does not fit together, once all was reported. */
  void judge(Consumer<Finding> found) {
    ends.forEach(
        (number, end) -> {
          var next = beginnings.get(number + 1);
          if (next != null && next.predecessor != end.lastIndex) {
            found.accept(
                new Finding(
                    end.file,
                    end.offset,
                    "ends with batch "
                        + end.lastIndex
                        + ", and "
                        + next.file
                        + " was begun after batch "
                        + next.predecessor
                        + "; a part of the log is missing",
                    false));
          }
        });
  }
}

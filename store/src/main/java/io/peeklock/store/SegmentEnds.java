package io.peeklock.store;

import io.peeklock.journal.checkpoint.SegmentTable;
import io.peeklock.journal.inspection.StoreFolder;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Where each segment ends and the next one begins. A file that was cut between two batches is
 * intact in itself; only the next segment's head, or a checkpoint if that file is gone, shows that
 * its end is missing.
 */
final class SegmentEnds {
  /** The ends of segments that are intact up to their end, by number. */
  private final TreeMap<Long, End> ends = new TreeMap<>();

  private final Map<Long, Next> beginnings = new HashMap<>();

  private record End(String file, long offset, long lastIndex) {}

  private record Next(String file, long predecessor) {}

  /** Notes an intact head. */
  void begins(String file, long number, long predecessor) {
    beginnings.put(number, new Next(file, predecessor));
  }

  /** Notes a segment whose last batch is intact, with nothing after it. */
  void ends(String file, long number, long offset, long lastIndex) {
    ends.put(number, new End(file, offset, lastIndex));
  }

  /**
   * Notes a checkpoint's table of segments.
   *
   * @param index the batch after which it was made
   */
  void checkpoint(SegmentTable table, long index) {
    table
        .firstIndexes(index)
        .forEach(
            (number, first) ->
                beginnings.putIfAbsent(
                    number, new Next(StoreFolder.segmentName(first), first - 1)));
  }

  /** Reports what does not fit together, after everything was noted. */
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

package io.peeklock.journal.recovery;

import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.log.FrameReader;
import io.peeklock.journal.log.SegmentHead;
import io.peeklock.journal.segment.Segment;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The segments of which a checkpoint has all that they say. They are not read again, but each must
 * end with an intact batch, and with the one after which the next segment was begun: whoever knows
 * where it began says so, the next head or, where that file went, the checkpoint. So a file that
 * was cut is missed at the start, also where it was cut between two batches, for one look at its
 * end.
 */
final class CoveredSegments {
  private final Disk disk;

  /** By number of the segment. */
  private final TreeMap<Long, End> ends = new TreeMap<>();

  private boolean marked;

  private record End(String name, long offset, long lastIndex) {}

  CoveredSegments(Disk disk) {
    this.disk = disk;
  }

  /**
   * Looks at the end of one.
   *
   * @throws IOException when it is damaged
   */
  void add(String name, SegmentHead head, FrameReader reader) throws IOException {
    var last = reader.lastFrame(head.salt());
    var frame = last < 0 ? null : reader.frameAt(last, head.salt());
    if (frame == null) {
      throw DamagedLog.at(disk, name, SegmentHead.BYTES, FrameReader.NO_FRAME);
    }
    var damage = reader.damageOfFacts(frame, last);
    if (damage != null) {
      throw DamagedLog.at(disk, name, last, damage);
    }
    if (last + frame.bytes() != reader.size()) {
      throw DamagedLog.at(disk, name, last + frame.bytes(), FrameReader.NO_FRAME);
    }
    marked |= frame.isMarked();
    ends.put(head.number(), new End(name, reader.size(), frame.index()));
  }

  /** Whether one of them says that a high-water mark is kept. */
  boolean isMarked() {
    return marked;
  }

  /** Compares the segment before one with what that one's head says. */
  void meet(String name, SegmentHead head) throws IOException {
    var before = ends.get(head.number() - 1);
    if (before != null) {
      compare(before, name, head.predecessor());
    }
  }

  /**
   * Compares those whose next one went with what a checkpoint says of that.
   *
   * @param firstIndexes by number of the segment; all of it was durable
   */
  void meet(Map<Long, Long> firstIndexes) throws IOException {
    for (var end : ends.entrySet()) {
      var next = firstIndexes.get(end.getKey() + 1);
      if (next != null) {
        compare(end.getValue(), Segment.nameOf(next), next - 1);
      }
    }
  }

  private void compare(End end, String next, long predecessor) throws IOException {
    if (end.lastIndex != predecessor) {
      throw DamagedLog.at(
          disk, end.name, end.offset, missingBefore(end.lastIndex, next, predecessor));
    }
  }

  /** What is wrong with a segment that ends with one batch when the next began after another. */
  static String missingBefore(long lastIndex, String next, long predecessor) {
    return "it ends with batch "
        + lastIndex
        + ", and "
        + next
        + " was begun after batch "
        + predecessor
        + "; a part of the log is missing";
  }
}

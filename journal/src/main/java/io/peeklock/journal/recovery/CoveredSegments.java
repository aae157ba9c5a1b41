package io.peeklock.journal.recovery;

import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.log.FrameReader;
import io.peeklock.journal.log.SegmentHead;
import io.peeklock.journal.segment.Segment;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The segments that a checkpoint covers. They are not read again, but each must end with an intact
 * batch, which must be the one before the next segment; the next segment's head names it or, if
 * that file is gone, the checkpoint. So a truncated file is noticed at the start, even if it was
 * cut between two batches, by reading only its end.
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
   * Checks the end of a segment.
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

  /** Whether one of them records that there is a high-water mark. */
  boolean isMarked() {
    return marked;
  }

  /** Compares the end of the previous segment with this segment's head. */
  void meet(String name, SegmentHead head) throws IOException {
    var before = ends.get(head.number() - 1);
    if (before != null) {
      compare(before, name, head.predecessor());
    }
  }

  /**
   * Compares the segments whose next one is gone with a checkpoint.
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

  /** The sentence for a segment that ends before the batch after which the next one began. */
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
